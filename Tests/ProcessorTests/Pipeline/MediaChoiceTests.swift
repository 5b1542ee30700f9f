import Base
import Foundation
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of the choice of the media that are fetched, and of their URLs.
@Suite(.timeLimit(.minutes(1))) struct MediaChoiceTests {
    /// Returns a template with a timer. The manual clock's date is in January 2027.
    private static func template(end: String) -> String {
        """
        {"aps":{"alert":{"title":"A","body":"a"},"mutable-content":1},"pt_id":"pt_timer","pt_title":"T","pt_msg":"m",
         "pt_title_alt":"Too late","pt_msg_alt":"Over","pt_big_img":"https://a.example/on",
         "pt_big_img_alt":"https://a.example/over","pt_timer_end":"\(end)"}
        """
    }

    @Test func `the image for the time after the expiry is not fetched before the expiry`() async throws {
        let bench = PipelineBench()
        let notification = try #require(
            try await bench.process(bench.request(Self.template(end: "4102452000"))).first)
        #expect(notification.outcome == .rich)
        #expect(notification.text == NotificationText(title: "T", body: "m"))
        #expect(bench.fetcher.calls.map(\.url) == ["https://a.example/on"])
        #expect(notification.reasons == [nil, .otherProfile])
    }

    @Test func `an expired message shows the text and the image for the time after the expiry`() async throws {
        let bench = PipelineBench()
        let notification = try #require(
            try await bench.process(bench.request(Self.template(end: "1000000000"))).first)
        #expect(notification.outcome == .expired)
        #expect(notification.reason == .expired)
        #expect(notification.text == NotificationText(title: "Too late", body: "Over"))
        #expect(bench.fetcher.calls.map(\.url) == ["https://a.example/over"])
        #expect(notification.attachments.map(\.sourceURL) == ["https://a.example/over"])
        #expect(notification.reasons == [.expired, nil])
    }

    @Test func `an expired message shows its text for the time after the expiry even if the image is missing`()
        async throws
    {
        let bench = PipelineBench(["https://a.example/over": .failure(MediaFailure(.httpStatus, "404"))])
        let notification = try #require(
            try await bench.process(bench.request(Self.template(end: "1000000000"))).first)
        #expect(notification.outcome == .expired)
        #expect(notification.text.body == "Over")
        #expect(notification.reasons == [.expired, .httpStatus])
    }

    @Test(
        arguments: [
            ("1", Outcome.expired), ("0", .rich), ("9999999999", .rich), ("soon", .rich), ("-1", .rich),
        ])
    func `the APNs header decides whether a message has expired`(seconds: String, outcome: Outcome) async throws {
        let bench = PipelineBench()
        let request = try bench.request(SamplePayloads.plain) {
            $0.headers = ["APNS-Expiration": .string(seconds)]
        }
        let notification = try #require(try await bench.process(request).first)
        #expect(notification.outcome == outcome)
        #expect(notification.text.body == "Look")
    }

    @Test func `a deferred media item is not fetched`() async throws {
        let bench = PipelineBench()
        let notification = try #require(
            try await bench.process(
                bench.request(#"{"aps":{"alert":"B"},"attachment":{"url":"https://a.example/1","lazy":true}}"#)
            ).first)
        #expect(notification.outcome == .passthrough)
        #expect(notification.reason == nil)
        #expect(notification.reasons == [.downloadNotPermitted])
        #expect(bench.fetcher.calls.isEmpty)
    }

    @Test func `a file is not requested after the time at which its origin deletes the file`() async throws {
        let bench = PipelineBench()
        let notification = try #require(
            try await bench.process(
                bench.request(
                    """
                    {"event":"message","topic":"t","message":"M",
                     "attachment":{"name":"a.jpg","url":"https://a.example/1","expires":1000000000}}
                    """)
            ).first)
        #expect(notification.outcome == .fallback)
        #expect(notification.reason == .expired)
        #expect(notification.text.body == "M\n\nAttachment: a.jpg")
        #expect(bench.fetcher.calls.isEmpty)
    }

    @Test(arguments: [
        (MediaProfile.ios, NotificationText(title: "Apple", body: "b")),
        (.watch, NotificationText(title: "Apple", body: "b")), (.android, NotificationText(title: "Robot", body: "b")),
        (.web, NotificationText(title: "t", body: "Web")), (.original, NotificationText(title: "t", body: "b")),
    ])
    func `the text of a platform's part takes precedence over the text of the message`(
        profile: MediaProfile, text: NotificationText
    ) async throws {
        let bench = PipelineBench()
        let request = try bench.request(
            """
            {"message":{"notification":{"title":"t","body":"b"},"android":{"notification":{"title":"Robot"}},
             "apns":{"payload":{"aps":{"alert":{"title":"Apple"}}}},"webpush":{"notification":{"body":"Web"}}}}
            """
        ) { $0.profile = profile }
        #expect(try await bench.process(request).first?.text == text)
    }

    // MARK: URLs and stand-ins

    private static let withImages =
        #"{"aps":{"alert":"B"},"media":[{"url":"https://a.example/1"},{"url":"https://a.example/2","role":"thumbnail"}]}"#

    @Test func `a thumbnail is not requested if its attachment is ready`() async throws {
        let bench = PipelineBench()
        let notification = try #require(try await bench.process(bench.request(Self.withImages)).first)
        #expect(notification.outcome == .rich)
        #expect(bench.fetcher.calls.map(\.url) == ["https://a.example/1"])
        #expect(
            notification.verdicts.map { $0.failure?.detail }
                == [nil, "the attachment is there, and the thumbnail is made from it"])
    }

    @Test func `a thumbnail is shown if its attachment is missing`() async throws {
        let missing = FakeFetcher.Answer.failure(MediaFailure(.httpStatus, "the origin answered 404"))
        let bench = PipelineBench(["https://a.example/1": missing])
        let notification = try #require(try await bench.process(bench.request(Self.withImages)).first)
        #expect(notification.outcome == .partial && notification.reason == .httpStatus)
        #expect(notification.text.body == "B")
        #expect(notification.attachments.map(\.role) == [.thumbnail])
        #expect(notification.reasons == [.httpStatus, nil])
    }

    @Test func `the reason is the reason of the attachment if both the attachment and its thumbnail fail`() async throws
    {
        let missing = FakeFetcher.Answer.failure(MediaFailure(.httpStatus, "the origin answered 404"))
        let gone = FakeFetcher.Answer.failure(MediaFailure(.connectFailed, "the host does not answer"))
        let bench = PipelineBench(["https://a.example/1": missing, "https://a.example/2": gone])
        let notification = try #require(try await bench.process(bench.request(Self.withImages)).first)
        #expect(notification.outcome == .fallback && notification.reason == .httpStatus)
        #expect(notification.reasons == [.httpStatus, .connectFailed])
    }

    @Test func `a thumbnail replaces an attachment whose URL is refused`() async throws {
        let bench = PipelineBench()
        let payload =
            #"{"notification":{"event_id":"$e","room_id":"!r","content":{"body":"x","url":"mxc://","info":{"thumbnail_url":"mxc://m.example/t"}}}}"#
        let notification = try #require(try await bench.process(bench.request(payload)).first)
        #expect(notification.reasons == [.invalidURL, nil])
        #expect(notification.outcome == .partial)
    }

    @Test func `the verdict at the deadline states that the thumbnail was not started`() async throws {
        let bench = PipelineBench(["https://a.example/1": .stalls])
        let request = try bench.request(Self.withImages, budget: .seconds(2))
        _ = bench.start(request)
        bench.executor.turn()
        bench.turn(to: request.budget.stagesEnd)
        let notification = try #require(bench.emissions.first)
        #expect(notification.reasons == [.budgetExceeded, .budgetExceeded])
        #expect(notification.verdicts.last?.failure?.detail == "the budget ended before the item was started")
    }

    private static let matrix = """
        {"notification":{"devices":[{}],"event_id":"e","room_id":"r","content":{"body":"b","url":"mxc://m.example/id"}}}
        """

    @Test func `a Matrix file is first requested at the path of the current specification`() async throws {
        let bench = PipelineBench()
        let notification = try #require(try await bench.process(bench.request(Self.matrix)).first)
        #expect(notification.outcome == .rich)
        #expect(
            bench.fetcher.calls.map(\.url) == ["https://m.example/_matrix/client/v1/media/download/m.example/id"])
        #expect(notification.attachments.map(\.sourceURL) == ["mxc://m.example/id"])
        #expect(notification.verdicts.map(\.url) == ["mxc://m.example/id"])
    }

    @Test(arguments: [
        (DegradationReason.httpStatus, 2, Outcome.rich), (.dnsFailed, 1, .fallback), (.budgetExceeded, 1, .fallback),
    ])
    func `a Matrix file is requested at the older path after an HTTP error status of the current path`(
        reason: DegradationReason, calls: Int, outcome: Outcome
    ) async throws {
        let first = "https://hs.example/_matrix/client/v1/media/download/m.example/id"
        let bench = PipelineBench(
            [first: .failure(MediaFailure(reason, "x"))],
            rules: PayloadRules(locator: MediaURLResolver(homeserver: "https://hs.example")))
        let notification = try #require(try await bench.process(bench.request(Self.matrix)).first)
        #expect(notification.outcome == outcome)
        #expect(bench.fetcher.calls.count == calls)
        #expect(bench.fetcher.calls.last?.url.hasPrefix("https://hs.example/") == true)
    }

    @Test func `renditions have the configured quality, and their recipe contains the quality`() async throws {
        let text = #"{"body":"b","media":[{"url":"https://a.example/1"}]}"#
        for quality in [60, 95] {
            var rules = PayloadRules()
            rules.media.jpegQuality = quality
            let bench = PipelineBench(rules: rules)
            let notification = try #require(try await bench.process(bench.request(text)).first)
            #expect(bench.transcoder.calls.map(\.form.jpegQuality) == [quality])
            var form = MediaProfile.ios.attachment
            form.jpegQuality = quality
            #expect(notification.attachments.first?.recipe == RenditionRecipe(form, AttachmentOptions()))
        }
    }

    @Test(arguments: ["mxc://", "mxc://m.example", "mxc://m.example/a/b", "mxc://m.example/..", "MXC://m.example/id"])
    func `no server gets a request for an invalid Matrix reference`(url: String) async throws {
        let bench = PipelineBench()
        let text = Self.matrix.replacingOccurrences(of: "mxc://m.example/id", with: url)
        let notification = try #require(try await bench.process(bench.request(text)).first)
        #expect(notification.reason == .invalidURL)
        #expect(bench.fetcher.calls.isEmpty)
    }

    @Test(
        arguments: [
            ("/api/camera.jpg", "https://ha.example", "https://ha.example/api/camera.jpg"),
            ("https://a.example/1", "https://ha.example", "https://a.example/1"),
            ("//a.example/1", "https://ha.example", "//a.example/1"), ("/api/camera.jpg", nil, nil),
            ("/../x", "https://ha.example/sub", nil), ("/a/%2e%2E/x", "https://ha.example/sub", nil),
            ("/a/..\\\\x", "https://ha.example/sub", nil), ("/a%2f..%2fx", "https://ha.example/sub", nil),
            ("/a/.../x?../y", "https://ha.example/sub", "https://ha.example/sub/a/.../x?../y"),
        ] as [(String, String?, String?)])
    func `a relative URL is fetched from the configured Home Assistant server`(
        url: String, base: String?, asked: String?
    ) async throws {
        let bench = PipelineBench(rules: PayloadRules(locator: MediaURLResolver(homeAssistant: base)))
        let notification = try #require(
            try await bench.process(bench.request(#"{"aps":{},"attachment":{"url":"\#(url)"}}"#)).first)
        #expect(bench.fetcher.calls.map(\.url) == [asked].compactMap(\.self))
        #expect(notification.reason == (asked == nil ? .invalidURL : nil))
    }
}
