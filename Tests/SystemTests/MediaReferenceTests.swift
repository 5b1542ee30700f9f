import Base
import Foundation
import Lab
import NotificationModel
import TestSupport
import Testing

/// Tests of `process` with media that refer to other files (`scripts/make-references`). The main process connects only
/// to the origin, and a worker connects to no address.
@Suite(.timeLimit(.minutes(1)))
struct MediaReferenceTests {
    /// The images that have references only in their texts.
    private static let shown = ["gif-comment.gif", "jpeg-xmp.jpg", "png-links.png"]

    @Test func `media with references cause connections only to the origin`() async throws {
        let directory = try TemporaryDirectory()
        let (media, log) = (directory.path + "/media", directory.path + "/calls")
        try FileManager.default.createDirectory(atPath: media, withIntermediateDirectories: false)
        let neighbour = directory.path + "/neighbour.png"
        let maker = Process()
        maker.executableURL = URL(filePath: Fixtures.project + "/scripts/make-references")
        // No server listens on port 9.
        maker.arguments = [media, neighbour, "http://127.0.0.1:9/"]
        try maker.run()
        maker.waitUntilExit()
        try #require(maker.terminationStatus == 0)
        try await MisbehavingOrigin.withOrigin(serving: media) { origin in
            let names = try FileManager.default.contentsOfDirectory(atPath: media).filter { !$0.contains("%") }.sorted()
            let payloads = names.map { name in
                #"{"aps":{"alert":"hi","mutable-content":1},"image":"\#(origin.baseURL)/\#(name)"}"#
            }
            let strace = [
                "/usr/bin/strace", "-f", "-q", "-o", log, "-e", "trace=connect,sendto,open,openat,openat2,creat",
            ]
            let run = try await ProgramRun.appgroupd(
                ["process", "--root", directory.path + "/root", "--allow-address", "127.0.0.0/8", "-"],
                input: payloads.joined(separator: "\n"), through: strace)
            #expect(run.status == 0, "\(run.errors)")
            let outcomes = try run.contents.map { $0["outcome"]?.string }
            #expect(outcomes.count == names.count && Self.shown.allSatisfy(names.contains))
            for (name, outcome) in zip(names, outcomes) where Self.shown.contains(name) {
                #expect(outcome == "rich", "\(name)")
            }
            let port = try #require(origin.baseURL.split(separator: ":").last)
            let calls = try directory.lines("calls")
            let connected = calls.filter { $0.contains("sin_port=htons(") || $0.contains("sin6_port=htons(") }
            #expect(connected.contains { $0.contains("htons(\(port))") })
            #expect(connected.allSatisfy { $0.contains("htons(\(port))") }, "\(connected)")
            #expect(!calls.contains { $0.contains(neighbour) }, "the neighbouring file was opened")
        }
    }
}
