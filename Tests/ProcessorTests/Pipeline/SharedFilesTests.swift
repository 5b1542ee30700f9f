import Base
import Foundation
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of the two pushes of a 2mee message. The alert uses the files that the silent push has fetched.
@Suite(.timeLimit(.minutes(1))) struct SharedFilesTests {
    private static let urls = ["https://a.example/1", "https://a.example/2"]

    private static func push(_ keys: String, aps: String = #"{"alert":"B"}"#) -> String {
        #"""
        {"aps":\#(aps),"appear2mee":{"id":"msg",\#(keys)"urls":["https://a.example/1","https://a.example/2"],
         "playTime":4102444800000,"expiry":1440}}
        """#
    }

    private static func key(
        _ url: String, providerID: String = "msg", profile: MediaProfile = .ios
    ) -> PrefetchKey {
        PrefetchKey(
            providerID: providerID, url: url, recipe: RenditionRecipe(profile.attachment, AttachmentOptions()))
    }

    private static let kept = StoredRenditions(
        assets: [
            StoredAsset(
                info: RenditionInfo(kind: .attachment, type: .mp4, byteCount: 9, width: 64, height: 48), sha256: "ab",
                path: "media/ab/ab.mp4")
        ], sourceType: "video/quicktime", sourceByteCount: 70)

    @Test func `the files of a silent push are kept until the message expires`() async throws {
        let bench = PipelineBench()
        let request = try bench.request(Self.push(#""stage":"prefetch","#, aps: #"{"content-available":1}"#))
        let notification = try #require(try await bench.process(request).first)
        #expect(notification.outcome == .prefetched)
        #expect(notification.text.isEmpty)
        #expect(bench.store.records.map(\.providerID) == ["msg"])
        #expect(bench.store.records.first?.attachments.map(\.url) == Self.urls)
        let expiry = Date(timeIntervalSince1970: 4_102_444_800 + 1_440 * 60)
        #expect(bench.store.holds.allSatisfy { $0 == expiry })
    }

    @Test func `an alert uses the stored files, and fetches only the missing files`() async throws {
        let bench = PipelineBench()
        bench.store.keep(Self.kept, as: Self.key(Self.urls[0]))
        let notification = try #require(try await bench.process(bench.request(Self.push(""))).first)
        #expect(notification.outcome == .rich)
        #expect(bench.fetcher.calls.map(\.url) == [Self.urls[1]])
        #expect(notification.attachments.map(\.cache) == [.hit, .miss])
        let first = try #require(notification.attachments.first)
        #expect(first.asset == Self.kept.assets[0])
        #expect(first.sourceType == "video/quicktime" && first.sourceByteCount == 70)
        #expect(first.identifier == "media-1" && first.sourceURL == Self.urls[0])
    }

    @Test func `files of another profile or of another message are not used`() async throws {
        let bench = PipelineBench()
        bench.store.keep(Self.kept, as: Self.key(Self.urls[0], profile: .web))
        bench.store.keep(Self.kept, as: Self.key(Self.urls[1], providerID: "other"))
        _ = try await bench.process(bench.request(Self.push("")))
        #expect(bench.fetcher.calls.map(\.url).sorted() == Self.urls)
    }

    @Test func `the fallback text is shown without permission for downloads even if all files are stored`() async throws
    {
        let bench = PipelineBench()
        for url in Self.urls { bench.store.keep(Self.kept, as: Self.key(url)) }
        let request = try bench.request(Self.push(#""fbText":"F","#)) { $0.permissions.download = false }
        let notification = try #require(try await bench.process(request).first)
        #expect(notification.outcome == .fallback)
        #expect(notification.text.body == "F")
        #expect(notification.reasons == [.downloadNotPermitted, .downloadNotPermitted])
    }

    @Test func `prefetched files are shown over a cellular network with permission for only Wi-Fi`()
        async throws
    {
        let bench = PipelineBench()
        for url in Self.urls { bench.store.keep(Self.kept, as: Self.key(url)) }
        let request = try bench.request(Self.push(#""fbText":"F","#)) {
            $0.permissions.wifiOnly = true
            $0.network = .cellular
        }
        let notification = try #require(try await bench.process(request).first)
        #expect(notification.outcome == .rich)
        #expect(notification.attachments.map(\.cache) == [.hit, .hit])
        #expect(bench.fetcher.calls.isEmpty)
    }

    @Test func `a request is not overloaded if a silent push has fetched its files`() async throws {
        let overloaded = MediaFailure(.overloaded, "the workers are busy")
        let bench = PipelineBench(transcoder: FakeTranscoder(refusing: overloaded))
        let request = try bench.request(Self.push(""), budget: .seconds(1))
        #expect(await bench.overload(of: request) == overloaded)
        bench.store.keep(Self.kept, as: Self.key(Self.urls[0]))
        #expect(await bench.overload(of: request) == nil)
    }

    @Test func `prefetched files are shown without a fetch with permission for only Wi-Fi`() async throws {
        let bench = PipelineBench()
        bench.store.keep(Self.kept, as: Self.key(Self.urls[0]))
        let request = try bench.request(Self.push(#""fbText":"F","#)) { $0.permissions.wifiOnly = true }
        let notification = try #require(try await bench.process(request).first)
        #expect(notification.outcome == .partial)
        #expect(notification.reasons == [nil, .wifiOnly])
        #expect(bench.fetcher.calls.isEmpty)
    }

    @Test func `a silent push fetches no files over a cellular network with permission for only Wi-Fi`() async throws {
        let bench = PipelineBench()
        let push = Self.push(#""stage":"prefetch","#, aps: #"{"content-available":1}"#)
        let request = try bench.request(push) { $0.permissions.wifiOnly = true }
        let notification = try #require(try await bench.process(request).first)
        #expect(notification.outcome == .fallback)
        #expect(notification.reason == .wifiOnly)
        #expect(notification.text.isEmpty)
        #expect(bench.fetcher.calls.isEmpty)
    }

    @Test func `the alert of a face finds the mask that a silent push without a kind has fetched`() async throws {
        let bench = PipelineBench()
        func push(_ aps: String, _ keys: String) -> String {
            #"""
            {"aps":\#(aps),"appear2mee":{"id":"msg",\#(keys)"urls":["https://a.example/1.mp4","https://a.example/2.png"]}}
            """#
        }
        _ = try await bench.process(
            bench.request(push(#"{"content-available":1}"#, #""stage":"prefetch","#)))
        let alert = DialectTable.standard.read(
            try #require(try JSONParser.value(of: push(#"{"alert":"B"}"#, #""kind":"face","#)).object))
        let wanted = alert.media.map { RenditionRecipe(MediaProfile.ios.form(of: $0.role), $0.options) }
        #expect(bench.store.records.first?.attachments.map(\.recipe) == wanted)
        #expect(bench.store.records.first?.attachments.map(\.role) == [.attachment, .mask])
        #expect(alert.media.map(\.role) == [.attachment, .mask])
    }

    @Test func `a message does not use the files of another provider's message with the same ID`() async throws {
        let bench = PipelineBench()
        bench.store.keep(Self.kept, as: Self.key("https://a.example/1", providerID: "p"))
        _ = try await bench.process(
            bench.request(#"{"aps":{},"data":{"push_id":"p","image_url":"https://a.example/1"}}"#))
        #expect(bench.fetcher.calls.count == 1)
    }
}
