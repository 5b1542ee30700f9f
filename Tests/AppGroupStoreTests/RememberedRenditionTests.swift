import Base
import Foundation
import NotificationModel
import Testing

@testable import AppGroupStore

/// Tests of renditions that an earlier request made: any process finds them as long as all their files exist.
@Suite struct RememberedRenditionTests {
    private func key(_ identity: String = "medium", profile: MediaProfile = .ios) -> RenditionKey {
        RenditionKey(
            identity: identity, recipe: RenditionRecipe(profile.attachment, AttachmentOptions()))
    }

    private func media(_ assets: [StoredAsset]) -> StoredRenditions {
        StoredRenditions(assets: assets, sourceType: "image/heic", sourceByteCount: 70)
    }

    @Test func `a lookup by media item and recipe finds all renditions in their order`() async throws {
        try await StoreFixture.with { fixture in
            let shown = try await fixture.keep("shown")
            var small = try await fixture.keep("small")
            small.info.kind = .thumbnail
            await fixture.store.remember(media([shown, small]), as: key(), in: StoreFixture.group)
            let found = await fixture.store.find([.made(key())], in: StoreFixture.group, until: .now)
            #expect(found == media([shown, small]))
            for other in [key("other"), key(profile: .web)] {
                #expect(await fixture.store.find([.made(other)], in: StoreFixture.group, until: .now) == nil)
            }
            let group = try #require(AppGroupName("group.other"))
            #expect(await fixture.store.find([.made(key())], in: group, until: .now) == nil)
        }
    }

    @Test(arguments: [(isStored: true, isReduced: false, true), (true, true, false), (false, false, false)])
    func `complete renditions of a stored source are recorded when they are stored`(
        isStored: Bool, isReduced: Bool, isRecorded: Bool
    ) async throws {
        try await StoreFixture.with { fixture in
            let made = RenditionSet(
                sourceType: "image/heic", renditions: [try await fixture.rendition("shown")],
                reduction: isReduced ? MediaReduction(.smaller, "a smaller image") : nil)
            let source = FetchedMedia(
                file: made.renditions[0].file, byteCount: 70, declaredType: nil, identity: "medium", isStored: isStored)
            let stored = try await fixture.store.store(
                made, of: source, by: key().recipe, in: StoreFixture.group, until: .now)
            let found = await fixture.store.find([.made(key())], in: StoreFixture.group, until: .now)
            #expect(found == (isRecorded ? stored : nil))
        }
    }

    @Test func `the damage of a media item is found and replaced together with its files`() async throws {
        try await StoreFixture.with { fixture in
            var damaged = media([try await fixture.keep("shown")])
            damaged.damage = "damaged: 81 % of the rows"
            await fixture.store.remember(damaged, as: key(), in: StoreFixture.group)
            #expect(await fixture.store.find([.made(key())], in: StoreFixture.group, until: .now) == damaged)
            damaged.damage = nil
            await fixture.store.remember(damaged, as: key(), in: StoreFixture.group)
            #expect(await fixture.store.find([.made(key())], in: StoreFixture.group, until: .now) == damaged)
        }
    }

    @Test func `the streams of a video and its source are found with its files, also by message`() async throws {
        try await StoreFixture.with { fixture in
            var shown = try await fixture.keep("shown")
            let streams = StreamFacts(
                videoCodec: "h264", frameRate: 29.97, audioCodec: "aac", sampleRate: 48_000, channels: 2,
                bitRate: 800_000)
            shown.info.streams = streams
            var video = media([shown])
            video.source = SourceFacts(
                duration: .milliseconds(1_001), frames: 30, streams: StreamFacts(videoCodec: "vp9", audioCodec: "ac3"),
                omission: "shown without its sound: ac3 is not decoded")
            var message = StoreFixture.message(try #require(RequestID("m")), providerID: "p", [shown])
            message.attachments[0].source = video.source
            message.attachments[0].recipe = key().recipe
            try await fixture.store.record(message, in: StoreFixture.group)
            await fixture.store.remember(video, as: key(), in: StoreFixture.group)
            let found = try #require(await fixture.store.find([.made(key())], in: StoreFixture.group, until: .now))
            #expect(found.source == video.source && found.assets.first?.info.streams == streams)
            let attachment = message.attachments[0]
            let kept = await fixture.store.find(
                [.prefetched(PrefetchKey(providerID: "p", url: attachment.url, recipe: key().recipe))],
                in: StoreFixture.group,
                until: .now)
            #expect(kept?.source == video.source)
            for text in ["no JSON", "[]", #"{"frames": -1, "durationMs": 1e300}"#] {
                try await fixture.write("UPDATE rendition SET source = '\(text)'")
                let damaged = await fixture.store.find([.made(key())], in: StoreFixture.group, until: .now)
                #expect(damaged?.source == nil)
            }
        }
    }

    @Test func `a shortened animation is found with the number of frames of its source`() async throws {
        try await StoreFixture.with { fixture in
            var shown = try await fixture.keep("shown")
            shown.info.frames = 1_100
            shown.info.keptFrames = 1_000
            shown.info.sourceFrames = 1_500
            try await fixture.store.record(
                StoreFixture.message(try #require(RequestID("m")), providerID: "p", [shown]), in: StoreFixture.group)
            await fixture.store.remember(media([shown]), as: key(), in: StoreFixture.group)
            let found = await fixture.store.find([.made(key())], in: StoreFixture.group, until: .now)
            #expect(found?.assets.first?.info.cut == "cut to the first 1,000 of 1,500 frames")
        }
    }

    @Test func `new renditions replace the remembered renditions`() async throws {
        try await StoreFixture.with { fixture in
            let (old, new) = (try await fixture.keep("old"), try await fixture.keep("new"))
            var small = try await fixture.keep("small")
            small.info.kind = .thumbnail
            await fixture.store.remember(media([old, small]), as: key(), in: StoreFixture.group)
            await fixture.store.remember(media([new, small]), as: key(), in: StoreFixture.group)
            let found = await fixture.store.find([.made(key())], in: StoreFixture.group, until: .now)
            #expect(found?.assets == [new, small])
            await fixture.store.remember(media([old]), as: key(), in: StoreFixture.group)
            let fewer = await fixture.store.find([.made(key())], in: StoreFixture.group, until: .now)
            #expect(fewer?.assets == [old])
        }
    }

    @Test(arguments: [0, 1])
    func `renditions with a missing file are not found`(missing: Int) async throws {
        try await StoreFixture.with { fixture in
            let assets = [try await fixture.keep("shown"), try await fixture.keep("small")]
            await fixture.store.remember(media(assets), as: key(), in: StoreFixture.group)
            try await fixture.write("DELETE FROM asset WHERE sha256 = '\(assets[missing].sha256)'")
            #expect(await fixture.store.find([.made(key())], in: StoreFixture.group, until: .now) == nil)
        }
    }

    @Test func `renditions whose file has other bytes are not found until the file is stored again`() async throws {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("shown")
            await fixture.store.remember(media([asset]), as: key(), in: StoreFixture.group)
            try Data("sh\0wn".utf8).write(to: URL(filePath: "\(fixture.groupDirectory)/\(asset.path)"))
            #expect(await fixture.store.find([.made(key())], in: StoreFixture.group, until: .now) == nil)
            try await fixture.keep("shown")
            #expect(try fixture.kept() == ["shown"])
            #expect(await fixture.store.find([.made(key())], in: StoreFixture.group, until: .now)?.assets == [asset])
        }
    }

    @Test func `a lookup leases the found renditions, and the index deletes them after the retention`() async throws {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("shown")
            await fixture.store.remember(media([asset]), as: key(), in: StoreFixture.group)
            let later = Date(timeIntervalSinceNow: 600)
            _ = await fixture.store.find([.made(key())], in: StoreFixture.group, until: later)
            _ = await fixture.store.evict(within: ContainerLimits(quota: 0), at: later)
            #expect(try fixture.kept() == ["shown"])
            #expect(try await fixture.rows("SELECT count(*) FROM rendition") == ["1"])
            let muchLater = Date(timeIntervalSinceNow: 8 * 86_400)
            _ = await fixture.store.evict(within: ContainerLimits(), at: muchLater)
            #expect(try await fixture.rows("SELECT count(*) FROM rendition") == ["0"])
        }
    }

    @Test func `an index of the first version stores renditions after its migration`() async throws {
        try await StoreFixture.with { fixture in
            try FileManager.default.createDirectory(
                atPath: fixture.groupDirectory, withIntermediateDirectories: true)
            try StoreFixture.makeFirstIndex(fixture.groupDirectory + "/index.sqlite")
            let asset = try await fixture.keep("shown")
            await fixture.store.remember(media([asset]), as: key(), in: StoreFixture.group)
            #expect(await fixture.store.find([.made(key())], in: StoreFixture.group, until: .now)?.assets == [asset])
        }
    }
}
