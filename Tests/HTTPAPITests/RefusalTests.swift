import Authentication
import Base
import Logging
import NotificationModel
import TestSupport
import Testing

@testable import HTTPAPI

/// Tests of clients that send refused calls without a pause.
@Suite(.timeLimit(.minutes(1)))
struct RefusalTests {
    private static func run(_ body: @Sendable (ServerBench) async throws -> Void) async throws {
        var settings = HTTPServerSettings()
        settings.needsToken = true
        let limited = Caller(name: "a", groups: .all, scopes: [.submit], limits: CallLimits(rate: 1))
        let tokens = [StaticToken(digest: TokenDigest(of: "token"), caller: limited)]
        try await ServerBench.run(
            settings, access: AccessControl(Authenticator(tokens: tokens, issuers: [])), body)
    }

    private static func get(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
    }

    @Test(
        arguments: [
            ("401", "/v1/status", ""), ("403", "/v1/status", "Authorization: Bearer token\r\n"), ("404", "/nope", ""),
        ])
    func `a connection ends after 100 refused calls in a row`(
        status: String, path: String, fields: String
    ) async throws {
        // Without a limit of its rate, a caller is refused for its scope each time.
        var settings = HTTPServerSettings()
        settings.needsToken = status != "404"
        let caller = Caller(name: "a", groups: .all, scopes: [.submit])
        let tokens = [StaticToken(digest: TokenDigest(of: "token"), caller: caller)]
        let access = AccessControl(Authenticator(tokens: tokens, issuers: []))
        try await ServerBench.run(settings, access: access) { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                for number in 1...100 {
                    try await connection.send(Self.get(path, fields))
                    let answer = try await connection.readAnswer()
                    #expect(answer.head.hasPrefix("HTTP/1.1 \(status) "))
                    #expect((answer["connection"] == "close") == (number == 100))
                }
                #expect(await connection.readToEnd() == "")
            }
            // A client that does not read has no more responses.
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                try? await connection.send(String(repeating: Self.get(path, fields), count: 500))
                let text = await connection.readToEnd()
                #expect(text.ranges(of: "HTTP/1.1 \(status) ").count <= 100)
            }
            let next = try await bench.send("GET", "/healthz").status
            #expect(next == 200)
        }
    }

    @Test func `calls beyond the rate of a caller end its connection, too`() async throws {
        try await Self.run { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                for number in 1...100 {
                    try await connection.send(Self.get("/nope", "Authorization: Bearer token\r\n"))
                    let answer = try await connection.readAnswer()
                    #expect([404, 429].contains(answer.status))
                    #expect((answer["connection"] == "close") == (number == 100))
                }
            }
        }
    }

    @Test func `an admitted call makes the count zero`() async throws {
        try await Self.run { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                for _ in 0..<2 {
                    let calls = String(repeating: Self.get("/v1/status"), count: 99) + Self.get("/healthz")
                    try await connection.send(calls)
                    for number in 0..<100 {
                        let status = try await connection.readAnswer().status
                        #expect(status == (number < 99 ? 401 : 200))
                    }
                }
            }
        }
    }

    @Test func `refused calls have one line a second for each reason, with their number`() {
        let (clock, log) = (ManualClock(), LogLines())
        let refusals = RefusalLog(logger: Logger(label: "test") { _ in log.handler }, clock: clock)
        for number in 1...4 {
            refusals.note(.unauthenticated) { ["path": "/\(number)"] }
            refusals.note(.limited) { ["path": "/l\(number)"] }
        }
        let first = [
            "refused calls=1 path=/1 reason=unauthenticated", "refused calls=1 path=/l1 reason=rate-limited",
        ]
        #expect(log.all == first)
        clock.advance(by: .milliseconds(999))
        #expect(log.all == first)
        clock.advance(by: .milliseconds(1))
        let second = [
            "refused calls=3 path=/2 reason=unauthenticated", "refused calls=3 path=/l2 reason=rate-limited",
        ]
        #expect(Set(log.all.dropFirst(2)) == Set(second))
        refusals.note(.limited) { ["path": "/l5"] }
        #expect(log.all.count == 4)
        refusals.flush()
        #expect(log.all.last == "refused calls=1 path=/l5 reason=rate-limited")
        // After a second without a refusal, the next one is logged at once.
        clock.advance(by: .seconds(1))
        clock.advance(by: .seconds(1))
        refusals.note(.limited) { ["path": "/l6"] }
        #expect(log.all.last == "refused calls=1 path=/l6 reason=rate-limited")
    }

    @Test func `a flood of refused calls writes few lines, which count each call`() async throws {
        let clock = ManualClock()
        var settings = HTTPServerSettings()
        settings.needsToken = true
        let log = try await ServerBench.run(settings, clock: clock) { bench in
            for _ in 0..<50 { _ = try await bench.send("GET", "/v1/status") }
            clock.advance(by: .seconds(1))
            return bench.log
        }
        // The last call may be counted after its response has arrived: then the end of the server writes a third line.
        let lines = log.all.filter { $0.hasPrefix("refused ") }
        #expect((2...3).contains(lines.count))
        let calls = lines.compactMap { line in
            line.split(separator: " ").first { $0.hasPrefix("calls=") }.flatMap { Int($0.dropFirst(6)) }
        }
        let sum = calls.reduce(0, +)
        #expect(calls.first == 1 && sum == 50)
        #expect(
            lines.allSatisfy {
                $0.contains("client=127.0.0.1") && $0.contains("status=401") && $0.contains("reason=unauthenticated")
            }, "\(lines)")
    }
}
