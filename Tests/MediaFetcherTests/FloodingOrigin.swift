import Foundation
import TestSupport

/// An origin that floods its connections (`Tests/Chaos/flooding_origin.py`). It runs until the last reference is released.
final class FloodingOrigin {
    let port: UInt16
    let isSecure: Bool
    private let directory: TemporaryDirectory
    private let process: Process

    /// - Parameters:
    ///   - flood: what the origin sends, by a name of the program.
    ///   - isSecure: whether it speaks TLS, with a certificate of its own.
    ///   - image: the file that requests without a flood get; `nil`: no response.
    ///   - count: the number of requests of a connection before its flood.
    init(_ flood: String, isSecure: Bool, image: String? = nil, after count: Int = 0) throws {
        directory = try TemporaryDirectory()
        self.isSecure = isSecure
        var arguments = [Fixtures.project + "/Tests/Chaos/flooding_origin.py", flood, "--after", "\(count)"]
        if isSecure {
            try ChildServer.makeCertificate(in: directory.path)
            arguments += ["--certificate", "\(directory.path)/certificate.pem", "--key", "\(directory.path)/key.pem"]
        }
        if let image { arguments += ["--image", image] }
        process = ParentBoundCommand("/usr/bin/python3", ["-B"] + arguments).process()
        let output = Pipe()
        process.standardInput = Pipe()
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = UInt16(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw ChildServer.Missing(description: "the flooding origin does not listen")
        }
        self.port = port
    }

    deinit { process.terminate() }

    var caFile: String { directory.path + "/certificate.pem" }
    var url: String { "\(isSecure ? "https" : "http")://127.0.0.1:\(port)/image.jpg" }
}
