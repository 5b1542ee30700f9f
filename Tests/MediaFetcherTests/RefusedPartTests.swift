import Base
import Lab
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// Tests of origins that break off a file, and refuse to send its rest or send something else. They send the whole file.
@Suite(.timeLimit(.minutes(1))) struct RefusedPartTests {
    struct Answer: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var status: String
        var fields: [String] = []
        var body: [UInt8] = []
    }

    private static let image = (try? Fixtures.bytes("media/photo-small.jpg")) ?? []
    private static let start = 20_000
    private static let rest = Array(image[start...])

    private static func part(
        _ name: String, from first: Int = start, of count: Int = image.count, _ fields: [String] = [],
        body: [UInt8] = rest, range: Int? = nil
    ) -> Answer {
        Answer(
            testDescription: name, status: "206 Partial Content",
            fields: [
                "Content-Length: \(body.count)",
                "Content-Range: bytes \(first)-\(first + (range ?? body.count) - 1)/\(count)",
            ] + fields, body: body)
    }

    private static let answers: [Answer] =
        [400, 401, 403, 404, 405, 406, 410, 412, 416, 451, 501].map {
            Answer(testDescription: "\($0)", status: "\($0) No", fields: ["Content-Length: 0"])
        } + [204, 205].map { Answer(testDescription: "\($0)", status: "\($0) Empty") } + [
            part("another start", from: start - 1), part("another length", of: image.count + 1),
            part("another tag", ["ETag: \"v2\""]),
            part("fewer bytes than the range", body: Array(rest.dropLast(5)), range: rest.count),
            part("gzip", ["Content-Encoding: gzip"], body: ContentCoding.gzip.encode(rest)),
            Answer(testDescription: "no Content-Range", status: "206 Partial Content", body: rest),
            Answer(
                testDescription: "another unit", status: "206 Partial Content", fields: ["Content-Range: pages 1-2/3"],
                body: rest),
            Answer(
                testDescription: "the whole file in gzip", status: "200 OK", fields: ["Content-Encoding: gzip"],
                body: ContentCoding.gzip.encode(image)),
        ]

    private static let begun = ScriptedOrigin.answer(
        "200 OK", ["Content-Length: \(image.count)", "ETag: \"v1\""], image[..<start])
    private static let whole = ScriptedOrigin.answer("200 OK", ["Content-Length: \(image.count)"], image)

    @Test(arguments: answers)
    func `the whole file is requested once after the rest was refused`(_ answer: Answer) async throws {
        try await OriginFixture.with { fixture in
            let refusal = ScriptedOrigin.answer(answer.status, answer.fields, answer.body)
            let origin = try ScriptedOrigin([Self.begun, refusal, Self.whole])
            defer { origin.stop() }
            #expect(try await fixture.fetch(url: origin.url).get().bytes == Self.image)
            let ranges = origin.requests.map { $0.lowercased().contains("range: bytes=\(Self.start)-") }
            #expect(ranges == [false, true, false])
        }
    }

    /// The store has the beginning of the file after a fetch whose attempts have failed.
    @Test(arguments: answers.filter { $0.testDescription != "fewer bytes than the range" })
    func `a stored beginning is dropped when the origin refuses the rest`(_ answer: Answer) async throws {
        try await OriginFixture.with(store: MemoryResponseStore()) { fixture in
            let refusal = ScriptedOrigin.answer(answer.status, answer.fields, answer.body)
            // The last two attempts of the first fetch get no response.
            let origin = try ScriptedOrigin([Self.begun, [], [], refusal, Self.whole])
            defer { origin.stop() }
            #expect(try await fixture.fetch(url: origin.url).reason == .connectionLost)
            #expect(try await fixture.fetch(url: origin.url).get().bytes == Self.image)
            let ranges = origin.requests.map { $0.lowercased().contains("range: bytes=\(Self.start)-") }
            #expect(ranges == [false, true, true, true, false])
        }
    }
}
