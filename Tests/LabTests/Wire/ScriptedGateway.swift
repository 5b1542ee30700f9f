import Glibc
import HTTPCaching
import Lab
import LinuxIO
import NotificationModel
import Testing

/// A gateway whose responses are scripted.
struct ScriptedGateway {
    let answer: CachingGateway.Answer

    /// Runs the gateway, and calls `body` with its port.
    func run<Result: Sendable>(_ body: (Int) async throws -> Result) async throws -> Result {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let gateway = CachingGateway(port: 0, upstream: "http://origin.example", answer: answer)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { port.finish() }
                try await gateway.run { port.yield($0) }
            }
            let port = try #require(await ports.first { _ in true })
            let result = try await body(port)
            group.cancelAll()
            try await group.waitForAll()
            return result
        }
    }
}

extension TemporaryDirectory {
    /// Creates a body in a file. The first and the last byte of the file do not belong to the body.
    func body(_ text: String) throws -> ResponseBody {
        try write(Array("<\(text)>".utf8), to: "body")
        let descriptor = open("\(path)/body", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(step: "open", errno: errno) }
        let file = MediaFile(descriptor: descriptor)
        return ResponseBody(file: file, bytes: 1..<(text.utf8.count + 1))
    }
}
