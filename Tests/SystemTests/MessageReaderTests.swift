import Lab
import LinuxIO
import TestSupport
import Testing

/// Tests of the examples that show messages, `examples/list_messages.py` and `examples/show_message.py`, with the program
/// and real media.
@Suite(.timeLimit(.minutes(1))) struct MessageReaderTests {
    private static func face(_ origin: MisbehavingOrigin, video: String) -> String {
        """
        {"aps": {"alert": {"title": "Coach says hi", "body": "Tap to play."}, "mutable-content": 1},
         "appear2mee": {"id": "msg-bb", "kind": "face", "action": "Watch", "playTime": 4102444800000, "expiry": 60,
                        "fbTitle": "Message from your coach", "fbText": "Open the app.", "keys": {"page": "week3"},
                        "urls": ["\(video)", "\(origin.fresh("/coach/week3-mask.png"))"]}}
        """
    }

    private static func process(_ payload: String, _ id: String, in root: TemporaryDirectory) async throws {
        _ = try await ProgramRun.appgroupd(
            "process", "--root", root.path, "--allow-address", "127.0.0.0/8", "--id", id, "-", input: payload)
    }

    @Test func `a list has rich, fallback and text messages with thumbnails, and goes on from a number`() async throws {
        let root = try TemporaryDirectory()
        let group = root.path + "/group.default"
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await Self.process(Self.face(origin, video: origin.fresh("/coach/week3.mp4")), "rich", in: root)
            let first = try ExampleReader.list.run(group)
            #expect(first.status == 0)
            #expect(first.lines.map { $0[0] } == ["=", "sequence"])
            let cells = try #require(first.lines.first)
            #expect(Array(cells[2...5]) == ["rich", "rich", "Coach says hi", "Tap to play."])
            #expect(FileSystem.size(of: cells[6]) != nil, "the thumbnail is there")
            let number = try #require(first.lines.last?.last)

            let missing = origin.fresh("/status/404/coach/week3.mp4")
            try await Self.process(Self.face(origin, video: missing), "fallback", in: root)
            let text = #"{"appear2mee": {"id": "t", "kind": "text", "text": "Hello", "fbText": "Hi"}}"#
            try await Self.process(text, "text", in: root)
            let next = try ExampleReader.list.run(group, "--since", number)
            #expect(
                Set(next.lines.dropLast().map { [$0[0], $0[2], $0[3], $0[5], $0[6]] }) == [
                    ["+", "passthrough", "text", "Hello", "-"], ["+", "fallback", "fallback", "Open the app.", "-"],
                ])
            let last = try #require(next.lines.last?.last)
            #expect(try ExampleReader.list.run(group, "--since", last).lines == [["sequence", last]])
        }
    }

    @Test func `a content extension finds the video, its poster, its mask and the buttons`() async throws {
        let root = try TemporaryDirectory()
        let group = root.path + "/group.default"
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await Self.process(Self.face(origin, video: origin.fresh("/coach/week3.mp4")), "rich", in: root)
        }
        for id in ["rich", "msg-bb"] {
            let shown = try ExampleReader.message.run(group, id)
            #expect(shown.status == 0)
            let parts = ["title", "body", "file", "poster", "mask", "button", "button", "button"]
            #expect(shown.lines.map { $0[0] } == parts)
            #expect(shown.lines[2...4].map { $0[1] } == ["video/mp4", "image/jpeg", "image/png"])
            for cells in shown.lines[2...4] { #expect(FileSystem.size(of: cells[2]) != nil) }
            #expect(shown.lines[5] == ["button", "accept", "Watch", "active"])
        }
        #expect(try ExampleReader.message.run(group, "unknown").status == 1)
    }
}
