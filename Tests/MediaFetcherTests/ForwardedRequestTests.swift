import Base
import HTTPCaching
import HTTPTypes
import Lab
import LinuxIO
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// Tests of requests for other programs: their connections and their times.
@Suite(.timeLimit(.minutes(1))) struct ForwardedRequestTests {
    private static func forward(
        _ path: String, in fixture: OriginFixture, mayBeRepeated: Bool = false, within time: Duration? = nil
    ) async -> Result<Int, MediaFailure> {
        var request = OriginRequest(.get, fixture.origin.baseURL + path)
        request.mayBeRepeated = mayBeRepeated
        let result = await fixture.fetcher.forward(
            request, until: .now.advanced(by: .seconds(20)), within: time, largest: 1 << 20
        ) { () throws(MediaFailure) in
            do throws(SystemError) { return try AnonymousFile.createInMemory() } catch {
                throw MediaFailure(.storageFailed, "no file: \(error)")
            }
        }
        return result.map(\.head.status)
    }

    @Test func `a request that may be repeated uses a kept connection, and another one has its own`() async throws {
        try await OriginFixture.with { fixture in
            for _ in 0..<3 {
                #expect(await Self.forward("/photo-small.jpg", in: fixture, mayBeRepeated: true) == .success(200))
            }
            #expect(fixture.origin.counts.connectionsAccepted == 1)
            for _ in 0..<2 { #expect(await Self.forward("/photo-small.jpg", in: fixture) == .success(200)) }
            #expect(fixture.origin.counts.connectionsAccepted == 3)
        }
    }

    @Test func `the wait for a permit does not shorten the time of a request`() async throws {
        var limits = FetchLimits()
        (limits.connectionsPerHost, limits.stallThreshold, limits.hedgeAfter) = (1, .seconds(60), nil)
        try await OriginFixture.with(limits: limits) { fixture in
            async let slow = fixture.fetch("/delay/1s/photo-small.jpg")
            await fixture.origin.waitUntil { $0.requests >= 1 }
            let status = await Self.forward("/photo-small.jpg", in: fixture, within: .milliseconds(500))
            #expect(status == .success(200))
            _ = try await slow.get()
        }
    }

    @Test func `a request that takes longer than its time fails`() async throws {
        try await OriginFixture.with { fixture in
            let result = await Self.forward("/stall/headers/photo-small.jpg", in: fixture, within: .milliseconds(200))
            guard case .failure(let failure) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(failure.reason == .budgetExceeded)
        }
    }

    // MARK: Messages

    struct Answer: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var fields: [String]
        var body: [UInt8] = []
        var hangsUp = true
        /// The number of requests that the server gets.
        var requests = 1
    }

    private static let long = [UInt8](repeating: 0x78, count: 2 << 20)
    private static let answers = [
        Answer(testDescription: "no body", fields: ["Content-Length: 0"]),
        Answer(testDescription: "2 MiB", fields: ["Content-Length: \(long.count)"], body: long),
        Answer(testDescription: "2 MiB without a length", fields: [], body: long, hangsUp: false),
        Answer(testDescription: "an open connection without a length", fields: [], body: [1], hangsUp: false),
        Answer(testDescription: "no byte of a long body", fields: ["Content-Length: 1000"], hangsUp: false),
        Answer(testDescription: "a body that is cut", fields: ["Content-Length: 1000"], body: [1]),
        Answer(testDescription: "a body that is cut before its first byte", fields: ["Content-Length: 1000"]),
        Answer(
            testDescription: "chunks that are none", fields: ["Transfer-Encoding: chunked"], body: Array("zz\r\n".utf8)),
        Answer(
            testDescription: "an encoding of no meaning", fields: ["Content-Encoding: gzip", "Content-Length: 3"],
            body: [1, 2, 3]),
        Answer(testDescription: "a line without a colon", fields: ["moved", "Content-Length: 0"], requests: 2),
        Answer(testDescription: "a NUL in a field", fields: ["X-Name: a\0b", "Content-Length: 0"], requests: 2),
        Answer(testDescription: "a length below zero", fields: ["Content-Length: -5"], requests: 2),
    ]

    private static func send(
        _ fixture: OriginFixture, _ url: String, as method: HTTPRequest.Method = .post,
        within time: Duration = .seconds(10)
    ) async -> Result<Int, MediaFailure> {
        let request = OriginRequest(method, url, body: method == .get ? [] : Array(#"{"id":"a"}"#.utf8))
        let result = await fixture.fetcher.forward(
            request, until: .now.advanced(by: .seconds(20)), within: time, largest: 64 << 10, isMessage: true
        ) { () throws(MediaFailure) in
            do throws(SystemError) { return try AnonymousFile.createInMemory() } catch {
                throw MediaFailure(.storageFailed, "no file: \(error)")
            }
        }
        return result.map(\.head.status)
    }

    @Test(arguments: answers) func `a message is answered by its status, whatever the body is`(_ answer: Answer)
        async throws
    {
        var limits = FetchLimits()
        limits.idle = .seconds(1)
        try await OriginFixture.with(limits: limits) { fixture in
            let bytes = ScriptedOrigin.answer("202 Accepted", answer.fields, answer.body)
            let server = try ScriptedOrigin([bytes], hangsUp: answer.hangsUp)
            defer { server.stop() }
            let begin = MonotonicInstant.now
            #expect(await Self.send(fixture, server.url) == .success(202))
            #expect(begin.duration(to: .now) < .seconds(5))
            #expect(server.requests.count == answer.requests)
            #expect(server.requests.allSatisfy { $0.hasPrefix("POST ") && $0.contains("\r\n\r\n{\"id\":\"a\"}") })
        }
    }

    @Test func `an answer whose headers come in time is a success, although its body does not`() async throws {
        try await OriginFixture.with { fixture in
            let server = try ScriptedOrigin(
                [ScriptedOrigin.answer("202 Accepted", ["Content-Length: 10"])], hangsUp: false)
            defer { server.stop() }
            #expect(await Self.send(fixture, server.url, within: .milliseconds(300)) == .success(202))
        }
    }

    @Test func `an answer whose body drips is read for about a second`() async throws {
        try await OriginFixture.with { fixture in
            let begin = MonotonicInstant.now
            let status = await Self.send(fixture, fixture.origin.baseURL + "/drip/10s/photo-small.jpg", as: .get)
            #expect(status == .success(200))
            #expect(begin.duration(to: .now) < .seconds(5))
        }
    }

    @Test func `an answer with more than 300 kB of headers is a failure`() async throws {
        try await OriginFixture.with { fixture in
            let line = "X-Long: " + String(repeating: "x", count: 8_000)
            let bytes = ScriptedOrigin.answer("202 Accepted", Array(repeating: line, count: 60))
            let server = try ScriptedOrigin([bytes])
            defer { server.stop() }
            guard case .failure = await Self.send(fixture, server.url) else {
                Issue.record("the answer is a success")
                return
            }
        }
    }
}
