import Base
import Foundation
import Lab
import NotificationModel
import TestSupport
import Testing

/// Tests of `process` with media that are too large for the bandwidth and the budget.
@Suite(.timeLimit(.minutes(2)))
struct PartialMediaTests {
    /// The file, the bandwidth in bytes a second, and a part of the verdict's detail.
    private static let lines = [
        ("video-1080p.mp4", 200_000, "a still"),
        ("video-moov-last.mp4", 30_000, "a still"),
        ("progressive.jpg", 30_000, "all rows are shown"),
        ("animation.gif", 6_000, "the first "),
    ]

    /// The downloads run at the same time, because each of them takes the whole budget.
    @Test func `the bytes that arrived before the end of the budget are shown`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await withThrowingTaskGroup { group in
                for (name, rate, shown) in Self.lines {
                    group.addTask {
                        let root = try TemporaryDirectory()
                        let url = "\(origin.baseURL)/rate/\(rate)/\(name)"
                        let run = try await ProgramRun.appgroupd(
                            ["process", "--root", root.path, "--allow-address", "127.0.0.0/8", "--budget", "4s", "-"],
                            input: #"{"aps":{"alert":"hi","mutable-content":1},"image":"\#(url)"}"#)
                        let content = JSONNode(try run.contents.first)
                        #expect(content["outcome"].string == "partial", "\(name)")
                        #expect(content["reason"].string == "budget-exceeded", "\(name)")
                        let detail = content["verdicts"][0]["detail"].string ?? ""
                        #expect(detail.contains("the first bytes of the file: \(shown)"), "\(name): \(detail)")
                        #expect(content["content"]["attachments"][0]["path"].string != nil, "\(name)")
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    /// The faults of the origin, with the reason of the failed download.
    @Test(arguments: [
        ("truncate/after/200000/video-1080p.mp4", "truncated"),
        ("reset/after/200000/video-1080p.mp4", "connection-lost"),
    ])
    func `the bytes of a failed download are shown with its reason, and are not stored`(
        path: String, reason: String
    ) async throws {
        let root = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let payload =
                #"{"aps":{"alert":"hi","mutable-content":1},"image":"\#(origin.baseURL)/flaky/3/\#(path)"}"#
            func result() async throws -> JSONNode {
                let run = try await ProgramRun.appgroupd(
                    ["process", "--root", root.path, "--allow-address", "127.0.0.0/8", "--budget", "8s", "-"],
                    input: payload)
                return JSONNode(try run.contents.first)
            }
            let broken = try await result()
            #expect(broken["outcome"].string == "partial" && broken["reason"].string == reason)
            let detail = broken["verdicts"][0]["detail"].string ?? ""
            #expect(detail.contains("; only the first bytes of the file are shown: a still"), "\(detail)")
            #expect(broken["content"]["attachments"][0]["mimeType"].string == "image/jpeg")
            let whole = try await result()
            #expect(whole["outcome"].string == "rich")
            #expect(whole["content"]["attachments"][0]["mimeType"].string == "video/mp4")
        }
    }

    @Test func `the fallback text is shown if too few bytes of an image have arrived`() async throws {
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
