import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of media whose bytes are in the payload. Each media item has a verdict in every dialect.
@Suite(.timeLimit(.minutes(1))) struct InlineMediaTests {
    private static let url = "data:image/png;base64,iVBORw0KGgo="

    @Test(arguments: [
        #"{"aps":{"alert":"x","mutable-content":1},"image":"URL"}"#,
        #"{"aps":{"alert":"x","mutable-content":1},"appear2mee":{"id":"m","urls":["URL"]}}"#,
        #"{"data":{"push_id":"p","image_url":"URL"},"notification":{"title":"t"}}"#,
        #"{"parts":[{"type":"image/png","url":"URL"}]}"#,
        #"{"parts":[{"type":"image/png","data":"iVBORw0KGgo="}]}"#,
        #"{"title":"t","media":[{"url":"URL"}]}"#,
        #"{"message":{"notification":{"title":"t","image":"URL"}}}"#,
        #"{"aps":{"alert":"x","mutable-content":1},"ab":{"att":{"url":"URL","type":"png"}}}"#,
    ])
    func `the media item at a data URL is shown in any dialect, and has a verdict`(payload: String) async throws {
        let bench = PipelineBench()
        let request = try bench.request(payload.replacing("URL", with: Self.url))
        let notification = try #require(try await bench.process(request).first)
        #expect(notification.outcome == .rich)
        #expect(notification.verdicts.map(\.url) == [Self.url])
        #expect(notification.reasons == [nil])
        #expect(bench.fetcher.calls.map(\.url) == [Self.url])
    }

    @Test func `media in the payload are shown over a cellular network with permission for only Wi-Fi`() async throws {
        let bench = PipelineBench()
        let request = try bench.request(#"{"aps":{"alert":"x"},"image":"URL"}"#.replacing("URL", with: Self.url)) {
            $0.permissions.wifiOnly = true
            $0.network = .cellular
        }
        #expect(try await bench.process(request).first?.outcome == .rich)
    }

    @Test func `media in the payload are shown without permission for downloads`() async throws {
        let bench = PipelineBench()
        let payload =
            #"{"parts":[{"type":"image/png","data":"iVBORw0KGgo="},{"type":"image/png","url":"https://a.example/1"}]}"#
        let request = try bench.request(payload) { $0.permissions.download = false }
        let notification = try #require(try await bench.process(request).first)
        #expect(notification.outcome == .partial)
        #expect(notification.reasons == [nil, .downloadNotPermitted])
    }

    @Test func `a part with broken bytes is omitted, and the verdict has the reason`() async throws {
        let failure = MediaFailure(.corruptMedia, "no Base64")
        let bench = PipelineBench(["data:image/png;base64,A$": .failure(failure)])
        let notification = try #require(
            try await bench.process(
                bench.request(
                    #"{"parts":[{"type":"text/plain","data":"Hi"},{"type":"image/png","data":"A$"}]}"#)
            ).first)
        #expect(notification.outcome == .fallback)
        #expect(notification.reason == .corruptMedia)
        #expect(notification.text.body == "Hi")
    }

    @Test func `the result does not contain the bytes of a long media item in the payload`() async throws {
        let bench = PipelineBench()
        let data = String(repeating: "AAAA", count: 2_000)
        let notification = try #require(
            try await bench.process(bench.request(#"{"parts":[{"type":"image/png","data":"\#(data)"}]}"#)).first)
        #expect(notification.verdicts.map(\.url) == ["data:image/png;base64,…"])
        #expect(notification.attachments.map(\.sourceURL) == ["data:image/png;base64,…"])
    }

    @Test func `the fetcher gets the size and the media class that the payload declares`() async throws {
        let bench = PipelineBench()
        _ = try await bench.process(
            bench.request(#"{"parts":[{"type":"image/png","url":"https://a.example/1","size":7}]}"#))
        #expect(bench.fetcher.calls.map(\.declared.byteCount) == [7])
        #expect(bench.fetcher.calls.map(\.declared.kind) == [.image])
    }
}
