import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of the texts that the result has if no image is ready.
@Suite(.timeLimit(.minutes(1))) struct FallbackTextTests {
    private static let own = #""title":"T","subtitle":"S","body":"B""#

    private func text(
        of payload: String, fallback: NotificationText? = nil
    ) async throws -> NotificationText? {
        let bench = PipelineBench(["https://a.example/1": .failure(MediaFailure(.httpStatus, "404"))])
        let request = try bench.request(payload) { $0.fallback = fallback }
        return try await bench.process(request).first?.text
    }

    @Test(arguments: [
        (#"{"title":"t","subtitle":"s","body":"b"}"#, NotificationText(title: "t", subtitle: "s", body: "b")),
        (#"{"title":"t","body":"b"}"#, NotificationText(title: "t", subtitle: "S", body: "b")),
        (#"{"body":"b"}"#, NotificationText(title: "T", subtitle: "S", body: "b")),
        (#"{"subtitle":""}"#, NotificationText(title: "T", subtitle: "", body: "B")),
        (#"{}"#, NotificationText(title: "T", subtitle: "S", body: "B")),
        (#"{"body":7}"#, NotificationText(title: "T", subtitle: "S", body: "B")),
        (#"null"#, NotificationText(title: "T", subtitle: "S", body: "B")),
        (#""b""#, NotificationText(title: "T", subtitle: "S", body: "B")),
    ])
    func `missing lines of the fallback text are read from the payload`(
        fallback: String, expected: NotificationText
    ) async throws {
        let payload = #"{\#(Self.own),"fallback":\#(fallback),"media":[{"url":"https://a.example/1"}]}"#
        #expect(try await text(of: payload) == expected)
    }

    @Test(
        arguments: [
            (
                NotificationText(title: "1", subtitle: "2", body: "3"),
                NotificationText(title: "1", subtitle: "2", body: "3")
            ),
            (NotificationText(title: "1"), NotificationText(title: "1", subtitle: "S", body: "b")),
            (NotificationText(), NotificationText(title: "t", subtitle: "S", body: "b")),
            (nil, NotificationText(title: "t", subtitle: "S", body: "b")),
        ] as [(NotificationText?, NotificationText)])
    func `a line of the envelope's fallback takes precedence over the payload's line`(
        fallback: NotificationText?, expected: NotificationText
    ) async throws {
        let payload = """
            {\(Self.own),"fallback":{"title":"t","body":"b"},"media":[{"url":"https://a.example/1"}]}
            """
        #expect(try await text(of: payload, fallback: fallback) == expected)
    }

    @Test func `the payload's own text is shown if the request has no fallback text`() async throws {
        #expect(try await text(of: SamplePayloads.plain) == NotificationText(title: "One", body: "Look"))
    }
}
