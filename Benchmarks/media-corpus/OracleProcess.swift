import BenchProcess
import Foundation
import ImageQuality
import LinuxIO
import NotificationModel

/// The process `scripts/picture-oracle --serve`, which describes one file at a time.
struct OracleProcess: ~Copyable {
    private let child: ChildProcess
    private let socket: MessageSocket

    init(python: String, script: String) throws {
        guard FileSystem.isExecutable(python) else {
            throw BenchFailure("\(python) is missing: scripts/setup corpus makes it, with Pillow")
        }
        let pair = try MessageSocket.pair()
        child = try ChildProcess.spawn(python, arguments: [script, "--serve"], inheriting: pair.child.descriptor.raw)
        socket = pair.takeParent()
    }

    /// Returns the oracle's description of a file. The oracle itself limits each file to 20 s.
    ///
    /// - Parameter file: The file, which is read from its beginning, independent of the descriptor's offset.
    borrowing func observed(of file: MediaFile) throws -> Result<ObservedImage, OracleRefusal> {
        try socket.send(Array("look".utf8), descriptors: [file.descriptor])
        guard let message = try socket.receive(upTo: 16_384, within: .seconds(60)) else {
            throw BenchFailure("the oracle has ended; its output is above")
        }
        return try JSONDecoder().decode(OracleLine.self, from: Data(message.bytes)).result
    }
}
