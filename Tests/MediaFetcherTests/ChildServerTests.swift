import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ChildServerTests {
    /// The exit test waits for the end of the output and of the error stream. A server that kept one of these streams
    /// open would block the test.
    @Test func `a server ends when the test process is killed, and does not keep its output open`() async throws {
        let result = try await #require(
            processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent, \.standardErrorContent]
        ) {
            let server = try ChildServer(isMultiplexed: true)
            FileHandle.standardOutput.write(Data("server \(server.pid) \(server.directory.path)\n".utf8))
            kill(getpid(), SIGKILL)
        }
        let words = String(decoding: result.standardOutputContent, as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix("server ") }?.split(separator: " ")
        let line = try #require(words)
        try #require(line.count == 3)
        // The killed process could not remove its directory.
        defer { try? FileManager.default.removeItem(atPath: String(line[2])) }
        let pid = try #require(Int32(line[1]))
        try await wait(for: "the end of nginx") { ProcessStatus.hasEnded(pid) }
    }
}
