import Base
import Foundation
import Lab
import NotificationModel
import TestSupport
import Testing

/// Tests of limits in the configuration, with the whole program.
@Suite struct ConfiguredLimitTests {
    @Test(
        arguments: [
            ("media: {pixels: 1000000}", "photo-12mp.jpg", "too-many-pixels"),
            ("media: {decodedBytes: 1000}", "interlaced.png", "too-many-pixels"),
            ("media: {duration: 1ms}", "video-1080p.mp4", "too-large"),
            ("media: {pictureBytes: 1000}", "photo-small.jpg", "too-large"),
            ("fetch: {denyHosts: [127.0.0.1]}", "photo-small.jpg", "forbidden-host"),
            ("fetch: {schemes: [https]}", "photo-small.jpg", "forbidden-scheme"),
        ])
    func `a media item that exceeds a configured limit is not shown, and the result has the reason`(
        yaml: String, item: String, reason: String
    ) async throws {
        let content = try await self.content(of: item, with: yaml)
        #expect(content["outcome"] == "fallback")
        #expect(content["reason"] == .string(reason), "\(content["verdicts"])")
    }

    @Test func `an animation with too many frames is cut, and its verdict reports the cut`() async throws {
        let content = try await self.content(of: "animation-large.gif", with: "media: {frames: 2}")
        #expect(content["outcome"] == "rich")
        #expect(JSONNode(content)["verdicts"][0]["detail"].string?.hasPrefix("cut to the first 2 of ") == true)
    }

    private func content(of item: String, with yaml: String) async throws -> JSONValue {
        let root = try TemporaryDirectory()
        let config = try root.write(yaml, as: "appgroupd.yaml")
        return try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let payload = try root.write(
                #"{"aps":{"alert":"x"},"image":"\#(origin.baseURL)/\#(item)"}"#, as: "payload.json")
            let run = try await ProgramRun.appgroupd(
                "process", "--root", root.path, "--config", config, "--allow-address", "127.0.0.0/8", payload)
            return try #require(try run.contents.first)
        }
    }
}
