import Glibc
import LinuxIO

/// A listener that never answers and counts its connections.
struct Canary: ~Copyable, Sendable {
    private let listener: LoopbackListener

    /// Starts to listen on a loopback address.
    ///
    /// - Parameter port: the port; 0 for any free port.
    init(at host: LoopbackAddress, port: UInt16 = 0) throws {
        listener = try LoopbackListener(at: host, port: port, waits: false)
    }

    var port: UInt16 { listener.port }

    /// Returns the number of connections since the last call. A connection stays in the listener's queue even after the
    /// client has closed it.
    func takeConnections() -> Int {
        var count = 0
        while true {
            let connection = accept(listener.descriptor.raw, nil, nil)
            if connection >= 0 {
                close(connection)
                count += 1
            } else if errno != EINTR && errno != ECONNABORTED {
                return count
            }
        }
    }
}
