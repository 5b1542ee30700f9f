import Foundation
import JSON
import Lab
import NotificationModel
import TestSupport
import Testing

/// `process` with media that are too large for the line and the budget.
@Suite(.timeLimit(.minutes(2)))
struct PartialMediaTests {
    /// Bytes a second, and what is shown.
    @Test(arguments: [
        ("video-1080p.mp4", 200_000, "a still"),
        ("video-moov-last.mp4", 30_000, "a still"),
        ("progressive.jpg", 30_000, "all rows are shown"),
        ("animation.gif", 6_000, "the first "),
    ])
    func `the bytes that a slow line has brought are shown at the end of the budget`(
        name: String, rate: Int, shown: String
    ) async throws {
        let root = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let payload =
                #"{"aps":{"alert":"hi","mutable-content":1},"image":"\#(origin.baseURL)/rate/\#(rate)/\#(name)"}"#
            let run = try await ProgramRun.appgroupd(
                ["process", "--root", root.path, "--allow-address", "127.0.0.0/8", "--budget", "4s", "-"],
                input: payload)
            let content = JSONNode(try run.contents.first)
            #expect(content["outcome"].string == "partial" && content["reason"].string == "budget-exceeded")
            let detail = content["verdicts"][0]["detail"].string ?? ""
            #expect(detail.contains("the first bytes of the file: \(shown)"), "\(detail)")
            #expect(content["content"]["attachments"][0]["path"].string != nil)
        }
    }

    @Test func `a picture of which too little has arrived leaves the fallback text`() async throws {
        let root = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let payload =
                #"{"aps":{"alert":"hi","mutable-content":1},"image":"\#(origin.baseURL)/rate/100000/photo-12mp.jpg"}"#
            let run = try await ProgramRun.appgroupd(
                ["process", "--root", root.path, "--allow-address", "127.0.0.0/8", "--budget", "2s", "-"],
                input: payload)
            let content = JSONNode(try run.contents.first)
            #expect(content["outcome"].string == "fallback" && content["reason"].string == "budget-exceeded")
        }
    }
}
