import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of messages whose files have names without a type, or with a wrong type.
@Suite(.timeLimit(.minutes(1))) struct MessageFileTests {
    private static func face(_ urls: String...) -> String {
        let list = urls.map { #""https://a.example/\#($0)""# }.joined(separator: ",")
        return #"{"aps":{"alert":"Bs"},"appear2mee":{"id":"m","kind":"face","fbText":"FB","urls":[\#(list)]}}"#
    }

    private func result(_ payload: String, _ types: [String: String]) async throws -> ProcessedNotification {
        let types = Dictionary(uniqueKeysWithValues: types.map { ("https://a.example/\($0.key)", $0.value) })
        let bench = PipelineBench(transcoder: FakeTranscoder(types: types))
        return try #require(try await bench.process(bench.request(payload)).first)
    }

    @Test func `the bytes of the files determine which file of a face is the mask`() async throws {
        let notification = try await result(Self.face("one", "two"), ["one": "image/png", "two": "video/mp4"])
        #expect(notification.outcome == .rich)
        #expect(notification.attachments.map(\.role) == [.mask, .attachment])
        #expect(notification.attachments.map(\.isAside) == [true, false])
    }

    private static let still = MediaReduction(.still, "the budget left time only for a still")

    @Test(arguments: [["face.mp4", "mask.png"], ["mask", "face"]])
    func `the outcome is fallback if a face becomes a still image`(names: [String]) async throws {
        let face = names.contains("face") ? "face" : "face.mp4"
        let transcoder = FakeTranscoder(
            reductions: ["https://a.example/\(face)": [Self.still]],
            types: ["https://a.example/face": "video/mp4", "https://a.example/mask": "image/png"])
        let bench = PipelineBench(transcoder: transcoder)
        let notification = try #require(
            try await bench.process(bench.request(Self.face(names[0], names[1]))).first)
        #expect(notification.outcome == .fallback && notification.reason == .budgetExceeded)
        #expect(notification.text.body == "FB")
        #expect(notification.attachments.map(\.role) == [.mask])
        #expect(
            notification.verdicts.compactMap(\.failure?.detail)
                == ["the message is a video, but the budget left time only for a still"])
    }

    @Test func `the video of a face takes precedence over its masks at any position in the list`() async throws {
        let masks = (1...40).map { #""https://a.example/\#($0).png""# }
        let list = (masks + [#""https://a.example/face.mp4""#]).joined(separator: ",")
        let bench = PipelineBench()
        let notification = try #require(
            try await bench.process(
                bench.request(#"{"aps":{"alert":"Bs"},"appear2mee":{"kind":"face","urls":[\#(list)]}}"#)
            ).first)
        #expect(notification.outcome == .rich)
        #expect(notification.attachments.count == MediaPlan.maxMedia)
        #expect(notification.attachments.last?.role == .attachment)
        #expect(notification.reasons.filter { $0 == .overloaded }.count == 41 - MediaPlan.maxMedia)
        #expect(bench.fetcher.calls.count == MediaPlan.maxMedia)
    }

    @Test func `the video of a face is shown even if the list has more files than can have a verdict`() async throws {
        let masks = (1...300).map { #""https://a.example/\#($0).png""# }
        let list = (masks + [#""https://a.example/face.mp4""#]).joined(separator: ",")
        let bench = PipelineBench()
        let notification = try #require(
            try await bench.process(
                bench.request(#"{"aps":{"alert":"Bs"},"appear2mee":{"kind":"face","urls":[\#(list)]}}"#)
            ).first)
        #expect(notification.outcome == .rich)
        #expect(notification.verdicts.last?.url == "https://a.example/face.mp4")
        #expect(notification.verdicts.count == PushPayload.maxMedia)
    }

    @Test(arguments: [["face.mp4"], ["one"], ["one", "two"]])
    func `a face without a video has the outcome fallback`(names: [String]) async throws {
        let payload = names.count == 1 ? Self.face(names[0]) : Self.face(names[0], names[1])
        let types = Dictionary(uniqueKeysWithValues: names.map { ($0, "image/png") })
        let notification = try await result(payload, types)
        #expect(notification.outcome == .fallback)
        #expect(notification.reason == .unsupportedMedia)
        #expect(notification.text.body == "FB")
        #expect(notification.verdicts.first?.failure?.detail == "the message is a video, but the file is image/png")
    }
}
