import Base
import NotificationModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct SpacedURLTests {
    private static let sentence = "the URL has spaces, and was fetched with %20 in their place: write %20"

    @Test(arguments: [
        ("https://a.example/low tide.jpg", sentence), (" https://a.example/1.jpg", sentence),
        ("https://a.example/1.jpg?at=high tide", sentence), ("https://a.example/low%20tide.jpg", nil),
    ])
    func `the verdict of a URL with spaces states that the URL was fetched with %20`(_ url: String, _ detail: String?)
        async throws
    {
        let bench = PipelineBench(transcoder: FakeTranscoder(types: [url: "image/jpeg"]))
        let request = try bench.request(#"{"aps":{"alert":"B"},"media":[{"url":"\#(url)"}]}"#)
        let notification = try #require(try await bench.process(request).first)
        let verdict = JSONNode(notification.json)["verdicts"][0]
        #expect(verdict["result"].string == "shown")
        #expect(verdict["detail"].string == detail)
    }
}
