import Base
import Foundation
import Lab
import NotificationModel
import TestSupport
import Testing

/// Tests that a worker leaves no file if it is killed while it encodes a video.
struct KilledTranscodeTests {
    @Test(.timeLimit(.minutes(2)))
    func `a worker that is killed while it encodes a video leaves no file`() async throws {
        let (root, streams) = (try TemporaryDirectory(), try TemporaryDirectory())
        let configuration = try streams.write("media: {videoSide: 1280}\n", as: "appgroupd.yaml")
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let before = try Self.temporaryNames()
            let (process, ending) = try ProgramRun.start(
                [
                    "process", "--root", root.path, "--config", configuration, "--allow-address", "127.0.0.0/8",
                    "--budget", "60s", "-",
                ],
                input: #"{"aps":{"alert":"A film"},"video":"\#(origin.baseURL)/video-1080p.mp4"}"#, in: streams)
            let ended = Guarded(false)
            let watch = Task {
                await ending.wait()
                ended.withLock { $0 = true }
            }
            // Another worker tries the job once more.
            var killed: Set<Int> = []
            try await wait(for: "the end of the program") {
                for worker in LeakCensus.take(of: "\(process.processIdentifier)").children
                where !killed.contains(worker) {
                    // A worker that has three nameless output files is encoding the video.
                    guard LeakCensus.take(of: "\(worker)").descriptors["nameless file", default: 0] >= 3 else {
                        continue
                    }
                    kill(Int32(worker), SIGKILL)
                    killed.insert(worker)
                }
                return ended.withLock { $0 }
            }
            await watch.value
            #expect(!killed.isEmpty)
            let content = try JSONParser.value(of: try #require(try streams.lines("out").first))
            #expect(content["reason"] == "worker-crashed", "\(content)")
            #expect(try root.mediaFiles().filter { $0.contains("/media/") || $0.contains(".part-") } == [])
            #expect(try root.mediaFiles().allSatisfy { $0.contains("index.sqlite") || $0.hasPrefix(".appgroupd/") })
            #expect(try Self.temporaryNames().subtracting(before).filter { $0.hasPrefix("agd") } == [])
        }
    }

    private static func temporaryNames() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: FileManager.default.temporaryDirectory.path()))
    }
}
