import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of messages whose files have names that say no type, or a wrong one.
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

    @Test func `the bytes decide which file of a face is the mask`() async throws {
        let notification = try await result(Self.face("one", "two"), ["one": "image/png", "two": "video/mp4"])
        #expect(notification.outcome == .rich)
        #expect(notification.attachments.map(\.role) == [.mask, .attachment])
        #expect(notification.attachments.map(\.isAside) == [true, false])
    }

    @Test(arguments: [["face.mp4"], ["one"], ["one", "two"]])
    func `a face that is a picture is a fallback`(names: [String]) async throws {
        let payload = names.count == 1 ? Self.face(names[0]) : Self.face(names[0], names[1])
        let types = Dictionary(uniqueKeysWithValues: names.map { ($0, "image/png") })
        let notification = try await result(payload, types)
        #expect(notification.outcome == .fallback)
        #expect(notification.reason == .unsupportedMedia)
        #expect(notification.text.body == "FB")
        #expect(notification.verdicts.first?.failure?.detail == "the message is a video, and this is image/png")
    }
}
