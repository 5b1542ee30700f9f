import Foundation
import Glibc
import Lab
import LinuxIO
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// The tests of idle connections that end before their reuse.
@Suite(.timeLimit(.minutes(2))) struct KeptConnectionTests {
    private let files = CountedFiles()

    /// Returns an origin that announces a persistent connection and then closes it.
    private func origin() throws -> ScriptedOrigin {
        let body = try Fixtures.bytes("media/photo-small.jpg")
        let head = "HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: \(body.count)\r\n\r\n"
        return try ScriptedOrigin([Array(head.utf8) + body])
    }

    @Test func `an idle connection that the origin has closed is no longer watched`() async throws {
        let origin = try origin()
        defer { origin.stop() }
        try await OriginFixture.with { fixture in
            _ = try await fixture.fetch(url: origin.url, into: files).get()
            try await wait(for: "the end of the connection") { try !isWatched(port: origin.port) }
        }
    }

    /// The kernel mostly gives the next connection the same descriptor number.
    @Test func `the events of a connection arrive, even if an earlier connection had its descriptor number`()
        async throws
    {
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

    @Test func `a request that is repeated over another connection reports the other connection`() async throws {
        let origin = try FadingOrigin()
        try await OriginFixture.with { fixture in
            _ = try await fixture.fetch(url: origin.url, into: files).get()
            let trace = StageTrace()
            #expect(await fixture.fetch(url: origin.url, into: files, trace: trace).reason == .connectFailed)
            #expect(!trace.transfers.isEmpty)
            #expect(trace.transfers.allSatisfy { !$0.isReused && $0.failure == .connectFailed })
        }
    }

    /// libcurl 7.88 repeats a request over another connection at most five times per handle. A handle is reused for
    /// many transfers.
    @Test func `each transfer succeeds even if many connections are closed at their second request`()
        async throws
    {
        let origin = try FadingOrigin(connections: 40)
        try await OriginFixture.with { fixture in
            for _ in 0..<40 {
                let trace = StageTrace()
                _ = try await fixture.fetch(url: origin.url, into: files, trace: trace).get()
                #expect(trace.transfers.map(\.failure) == [nil])
            }
        }
    }

    /// Returns whether an epoll instance of this process watches a connection to the port (proc_pid_fdinfo(5)).
    private func isWatched(port: UInt16) throws -> Bool {
        let directory = "/proc/self/fdinfo"
        return try FileManager.default.contentsOfDirectory(atPath: directory).contains { name in
            let info = (try? String(contentsOfFile: "\(directory)/\(name)", encoding: .utf8)) ?? ""
            return info.split(separator: "\n").contains { line in
                let words = line.split(separator: " ")
                guard words.first == "tfd:", let descriptor = words.dropFirst().first.flatMap({ Int32($0) }) else {
                    return false
                }
                return peerPort(of: descriptor) == port
            }
        }
    }

    private func peerPort(of descriptor: Int32) -> UInt16? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
        }
        return result == 0 ? UInt16(bigEndian: address.sin_port) : nil
    }
}

/// An origin that answers the first request of each connection, and closes the connection at the second one.
private final class FadingOrigin: Sendable {
    let url: String

    /// Starts to accept connections.
    ///
    /// - Parameter connections: the number of connections that are accepted before the origin stops.
    init(connections: Int = 1) throws {
        let listener = try LoopbackListener(at: LoopbackAddress(0, 0, 1), port: 0, waits: true)
        url = "http://127.0.0.1:\(listener.port)/file.jpg"
        let body = try Fixtures.bytes("media/photo-small.jpg")
        let head = "HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: \(body.count)\r\n\r\n"
        let answer = Array(head.utf8) + body
        Thread {
            for number in 1...connections {
                let connection = accept(listener.descriptor.raw, nil, nil)
                var question = [UInt8](repeating: 0, count: 16_384)
                _ = recv(connection, &question, question.count, 0)
                _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
                _ = recv(connection, &question, question.count, 0)
                // After the last connection, no further one is accepted.
                if number == connections { shutdown(listener.descriptor.raw, Int32(SHUT_RDWR)) }
                close(connection)
            }
        }.start()
    }
}
