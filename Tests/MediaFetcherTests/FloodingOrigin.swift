import Glibc
import LinuxIO
import TestSupport

/// An origin that floods its connections (`Tests/Chaos/flooding_origin.py`). The process is killed when the last
/// reference is released, or with the test process.
final class FloodingOrigin: Sendable {
    let port: UInt16
    let isSecure: Bool
    private let directory: TemporaryDirectory
    private let process: ChildProcess

    /// Starts the script, and waits until it listens.
    ///
    /// - Parameter flood: the name of the flood in the script.
    /// - Parameter isSecure: whether the origin speaks TLS, with its own certificate.
    /// - Parameter image: the file that requests without a flood receive; `nil` for no response.
    /// - Parameter count: the number of requests on a connection before its flood.
    init(_ flood: String, isSecure: Bool, image: String? = nil, after count: Int = 0) async throws {
        directory = try TemporaryDirectory()
        self.isSecure = isSecure
        let output = "\(directory.path)/output"
        var arguments = [
            "-B", Fixtures.project + "/Tests/Chaos/flooding_origin.py", flood, "--after", "\(count)",
        ]
        if isSecure {
            try ChildServer.makeCertificate(in: directory.path)
            arguments += ["--certificate", "\(directory.path)/certificate.pem", "--key", "\(directory.path)/key.pem"]
        }
        if let image { arguments += ["--image", image] }
        let nothing = try OwnedDescriptor.adopt(open("/dev/null", O_RDWR | O_CLOEXEC), from: "open /dev/null")
        let command = ParentBoundCommand("/usr/bin/python3", arguments, output: output)
        process = try ChildProcess.spawn(command.path, arguments: command.arguments, inheriting: nothing.raw)
        var line = ""
        try await wait(for: "the port of the flooding origin") {
            line = String(decoding: (try? FileSystem.contents(of: output)) ?? [], as: UTF8.self)
            return line.hasSuffix("\n")
        }
        guard let port = UInt16(line.dropLast()) else {
            throw ChildServer.Missing(description: "the flooding origin does not listen: \(line)")
        }
        self.port = port
    }

    var caFile: String { directory.path + "/certificate.pem" }
    var url: String { "\(isSecure ? "https" : "http")://127.0.0.1:\(port)/image.jpg" }
}
