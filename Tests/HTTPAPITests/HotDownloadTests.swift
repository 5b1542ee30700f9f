import Authentication
import Base
import FoundationEssentials
import NotificationModel
import TestSupport
import Testing

@testable import Features
@testable import HTTPAPI

/// Tests of the downloads of files in memory, which are answered before the HTTP decoder.
@Suite(.timeLimit(.minutes(1))) struct HotDownloadTests {
    private static let path = MediaBench.path
    private static let key = String(repeating: "k", count: 43)

    private static func head(_ target: String, _ fields: String = "") -> String {
        "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
    }

    /// Downloads a file twice on one connection, so that the second response comes from memory.
    private static func warm(_ connection: inout RawConnection, _ target: String = path) async throws -> [RawAnswer] {
        var answers: [RawAnswer] = []
        for _ in 0..<2 {
            try await connection.send(head(target))
            answers.append(try await connection.readAnswer())
        }
        return answers
    }

    @Test func `a response from memory is the same as the first one, apart from its id`() async throws {
        try await MediaBench.run { bench, media in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                let answers = try await Self.warm(&connection)
                #expect(
                    answers.map(\.status) == [200, 200] && answers.map(\.body) == [MediaBench.text, MediaBench.text])
                func fields(_ answer: RawAnswer) -> Set<String> {
                    let lines = answer.head.split(separator: "\r\n").map { $0.lowercased() }
                    return Set(lines.filter { !$0.hasPrefix("x-request-id:") && !$0.hasPrefix("date:") })
                }
                #expect(fields(answers[0]) == fields(answers[1]))
                #expect(answers[0]["x-request-id"] != answers[1]["x-request-id"])
                #expect(answers[1]["date"]?.hasSuffix("GMT") == true)
            }
            try await wait(for: "two lines in the log") {
                bench.log.all.count {
                    $0.contains("path=/v1/media/{group}/{file}") && $0.contains("client=127.0.0.1")
                        && $0.contains("caller=anonymous") && $0.contains("status=200")
                } == 2
            }
        }
    }

    @Test func `the responses to pipelined requests keep their order`() async throws {
        try await MediaBench.run { bench, _ in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                _ = try await Self.warm(&connection)
                // The second of two reads is plain, but the first has no response yet.
                try await connection.send(Self.head("/v1/status") + Self.head(Self.path))
                try await connection.send(Self.head(Self.path, "Range: bytes=0-0\r\n"))
                let status = try await connection.readAnswer()
                #expect(status.json?["version"] != nil)
                #expect(try await connection.readAnswer().body == MediaBench.text)
                #expect(try await connection.readAnswer().body == "0")
            }
        }
    }

    @Test func `a head in several reads, and all that follows it, reaches the decoder`() async throws {
        try await MediaBench.run { bench, _ in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                _ = try await Self.warm(&connection)
                let whole = Self.head(Self.path)
                try await connection.send(String(whole.prefix(20)))
                // The event loop has read the first part before it answers a later request.
                #expect(try await bench.send("GET", "/healthz").status == 200)
                try await connection.send(String(whole.dropFirst(20)))
                #expect(try await connection.readAnswer().body == MediaBench.text)
                #expect(try await Self.warm(&connection).map(\.body) == [MediaBench.text, MediaBench.text])
            }
        }
    }

    @Test func `ranges, conditions and the end of the connection are not ignored`() async throws {
        try await MediaBench.run { bench, _ in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                _ = try await Self.warm(&connection)
                try await connection.send(Self.head(Self.path, "Range: bytes=1-2\r\n"))
                #expect(try await connection.readAnswer().body == "12")
                try await connection.send(Self.head(Self.path, "If-None-Match: *\r\n"))
                #expect(try await connection.readAnswer().status == 304)
                try await connection.send(Self.head(Self.path, "Connection: close\r\n"))
                #expect(try await connection.readAnswer().body == MediaBench.text)
                #expect(await connection.readToEnd().isEmpty)
            }
        }
    }

    @Test func `a purge and other keys end the responses from memory at once`() async throws {
        try await MediaBench.run(keys: Self.key) { bench, media in
            let end = Date().addingTimeInterval(600)
            let target = MediaBench.target(media.urls.url(of: MediaBench.file, in: .default, until: end))
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                #expect(try await Self.warm(&connection, target).map(\.status) == [200, 200])
                try FileManager.default.removeItem(atPath: media.directory.path + "/" + MediaBench.place)
                let purge = try await bench.send("POST", "/v1/cache/purge", body: #"{"host": "a.example"}"#)
                #expect(purge.status == 200)
                #expect(try await Self.warm(&connection, target).map(\.status) == [404, 404])
                try media.write()
                #expect(try await Self.warm(&connection, target).map(\.status) == [200, 200])
                let other = try URLSigningKeys(String(repeating: "o", count: 43))
                media.serving.change(PerGroup(MediaURLs(base: MediaBench.base, keys: other)))
                #expect(try await Self.warm(&connection, target).map(\.status) == [403, 403])
            }
        }
    }

    @Test func `an expired URL and a removed file are checked again after a second`() async throws {
        let clock = ManualClock()
        try await MediaBench.run(keys: Self.key, clock: clock) { bench, media in
            let end = clock.date.addingTimeInterval(0.9)
            let target = MediaBench.target(media.urls.url(of: MediaBench.file, in: .default, until: end))
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                let open = MediaBench.target(
                    media.urls.url(of: MediaBench.file, in: .default, until: clock.date.addingTimeInterval(600)))
                #expect(try await Self.warm(&connection, open).map(\.status) == [200, 200])
                try FileManager.default.removeItem(atPath: media.directory.path + "/" + MediaBench.place)
                #expect(try await Self.warm(&connection, open).map(\.status) == [200, 200])
                clock.advance(by: .seconds(1))
                #expect(try await Self.warm(&connection, open).map(\.status) == [404, 404])
                #expect(try await Self.warm(&connection, target).map(\.status) == [403, 403])
            }
        }
    }

    @Test func `a response to a token prepares none for callers without it`() async throws {
        let token = StaticToken(
            digest: TokenDigest(of: "token"), caller: Caller(name: "gateway", groups: .all, scopes: [.media]))
        var settings = HTTPServerSettings()
        settings.needsToken = true
        let access = AccessControl(Authenticator(tokens: [token], issuers: []))
        try await MediaBench.run(keys: Self.key, settings, access: access) { bench, _ in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                for _ in 0..<2 {
                    try await connection.send(Self.head(Self.path, "Authorization: Bearer token\r\n"))
                    #expect(try await connection.readAnswer().status == 200)
                    try await connection.send(Self.head(Self.path))
                    #expect(try await connection.readAnswer().status == 403)
                }
            }
        }
    }

    @Test func `one request in half of the idle limit reaches the connection's own timer`() async throws {
        let clock = ManualClock()
        try await MediaBench.run(clock: clock) { bench, media in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                _ = try await Self.warm(&connection)
                clock.advance(by: .seconds(31))
                #expect(try await Self.warm(&connection).map(\.status) == [200, 200])
            }
        }
    }
}
