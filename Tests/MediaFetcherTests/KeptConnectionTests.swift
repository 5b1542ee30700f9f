import Foundation
import Lab
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// Connections that are kept for later, and end meanwhile.
@Suite(.timeLimit(.minutes(2))) struct KeptConnectionTests {
    private let files = CountedFiles()

    /// Says that it stays, and goes.
    private func origin() throws -> ScriptedOrigin {
        let body = try Fixtures.bytes("media/photo-small.jpg")
        let head = "HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: \(body.count)\r\n\r\n"
        return try ScriptedOrigin([Array(head.utf8) + body])
    }

    @Test func `one that the origin has closed is watched no more`() async throws {
        let origin = try origin()
        defer { origin.stop() }
        try await OriginFixture.with { fixture in
            let before = try watchedDescriptors()
            _ = try await fixture.fetch(url: origin.url, into: files).get()
            try await wait(for: "the end of the connection") { try watchedDescriptors() == before }
        }
    }

    /// The next one is mostly given the number of its socket.
    @Test func `the next connection is heard of, whatever number it has`() async throws {
        let origin = try origin()
        defer { origin.stop() }
        try await OriginFixture.with { fixture in
            for _ in 0..<200 { _ = try await fixture.fetch(url: origin.url, into: files).get() }
            await withTaskGroup { group in
                for _ in 0..<200 {
                    group.addTask { #expect(await fixture.fetch(url: origin.url, into: files).reason == nil) }
                }
            }
        }
    }

    /// Of all epoll instances of this process (proc_pid_fdinfo(5)).
    private func watchedDescriptors() throws -> Int {
        let folder = "/proc/self/fdinfo"
        return try FileManager.default.contentsOfDirectory(atPath: folder).reduce(0) { sum, name in
            let info = (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
            return sum + info.split(separator: "\n").count { $0.hasPrefix("tfd:") }
        }
    }
}
