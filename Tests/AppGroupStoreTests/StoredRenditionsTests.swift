import Base
import Foundation
import NotificationModel
import Testing

@testable import AppGroupStore

/// Tests of files that another push of the same message stored.
@Suite struct StoredRenditionsTests {
    private func record(_ id: String, _ providerID: String, _ assets: [StoredAsset]) throws -> MessageRecord {
        StoreFixture.message(try #require(RequestID(id)), providerID: providerID, assets)
    }

    private func recipe(hidden: Bool = false, clip: Double = 1, profile: MediaProfile = .ios) -> RenditionRecipe {
        var options = AttachmentOptions()
        options.thumbnailHidden = hidden
        options.thumbnailClippingRect = .init(x: 0, y: 0, width: clip, height: 1)
        return RenditionRecipe(profile.attachment, options)
    }

    private func key(
        _ url: String = "https://a.example/0", providerID: String = "p", profile: MediaProfile = .ios
    ) -> PrefetchKey {
        PrefetchKey(providerID: providerID, url: url, recipe: recipe(profile: profile))
    }

    /// Records a message that shows one media item and its thumbnail.
    private func recordWithThumbnail(
        _ fixture: StoreFixture
    ) async throws -> (shown: StoredAsset, thumbnail: StoredAsset) {
        let shown = try await fixture.keep("shown")
        var thumbnail = try await fixture.keep("thumbnail")
        thumbnail.info.kind = .thumbnail
        var message = try record("m", "p", [shown])
        message.attachments[0].others = [thumbnail]
        try await fixture.store.record(message, in: StoreFixture.group)
        return (shown, thumbnail)
    }

    @Test func `a lookup finds all files of a media item, and the facts about their source`() async throws {
        try await StoreFixture.with { fixture in
            let (shown, thumbnail) = try await recordWithThumbnail(fixture)
            let kept = await fixture.store.find([.prefetched(key())], in: StoreFixture.group, until: .now)
            #expect(kept == StoredRenditions(assets: [shown, thumbnail], sourceType: "image/jpeg", sourceByteCount: 7))
        }
    }

    @Test func `a lookup by message finds the damage of a media item together with its files`() async throws {
        try await StoreFixture.with { fixture in
            let shown = try await fixture.keep("shown")
            var message = try record("m", "p", [shown])
            message.attachments[0].damage = "damaged: all rows are shown"
            try await fixture.store.record(message, in: StoreFixture.group)
            let kept = await fixture.store.find([.prefetched(key())], in: StoreFixture.group, until: .now)
            #expect(kept?.damage == "damaged: all rows are shown")
        }
    }

    @Test func `a lookup finds the preview of a file although the file was also stored without a preview`() async throws
    {
        try await StoreFixture.with { fixture in
            let preview = ImagePreview(blurhash: "00TSUA", dominantColor: "#7a8f3c")
            var (shown, small) = (try await fixture.keep("shown"), try await fixture.keep("shown"))
            shown.info.preview = preview
            small.info.kind = .thumbnail
            var message = try record("m", "p", [shown])
            message.attachments[0].others = [small]
            try await fixture.store.record(message, in: StoreFixture.group)
            let kept = await fixture.store.find([.prefetched(key())], in: StoreFixture.group, until: .now)
            #expect(kept?.assets.first?.info.preview == preview)
            #expect(try await fixture.rows("SELECT blurhash FROM messageFile WHERE kind = 'attachment'") == ["00TSUA"])
            #expect(try await fixture.rows("SELECT dominantColor FROM asset") == ["#7a8f3c"])
        }
    }

    @Test func `an invalid preview in the index is ignored`() async throws {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("shown")
            try await fixture.store.record(try record("m", "p", [asset]), in: StoreFixture.group)
            try await fixture.write("UPDATE asset SET blurhash = '</html>', dominantColor = 'red'")
            let kept = await fixture.store.find([.prefetched(key())], in: StoreFixture.group, until: .now)
            #expect(kept?.assets == [asset])
        }
    }

    @Test func `a lookup by recipe does not find files with other options, and both sets are stored`() async throws {
        try await StoreFixture.with { fixture in
            let (whole, part) = (try await fixture.keep("whole"), try await fixture.keep("part"))
            try await fixture.store.record(try record("m-1", "p", [whole]), in: StoreFixture.group)
            var message = try record("m-2", "p", [part])
            message.attachments[0].recipe = recipe(clip: 0.5)
            try await fixture.store.record(message, in: StoreFixture.group)
            var key = key()
            #expect(
                await fixture.store.find([.prefetched(key)], in: StoreFixture.group, until: .now)?.assets == [whole])
            key.recipe = recipe(clip: 0.5)
            #expect(await fixture.store.find([.prefetched(key)], in: StoreFixture.group, until: .now)?.assets == [part])
            key.recipe = recipe(hidden: true)
            #expect(await fixture.store.find([.prefetched(key)], in: StoreFixture.group, until: .now) == nil)
        }
    }

    @Test func `a lookup with another message, URL, profile or group does not find the files`() async throws {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("shown")
            try await fixture.store.record(try record("m", "p", [asset]), in: StoreFixture.group)
            for key in [key("https://a.example/1"), key(providerID: "q"), key(profile: .web)] {
                #expect(await fixture.store.find([.prefetched(key)], in: StoreFixture.group, until: .now) == nil)
            }
            let other = try #require(AppGroupName("group.other"))
            #expect(await fixture.store.find([.prefetched(key())], in: other, until: .now) == nil)
        }
    }

    @Test func `a media item with a missing or truncated file is not found`() async throws {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("shown")
            try await fixture.store.record(try record("m", "p", [asset]), in: StoreFixture.group)
            let path = "\(fixture.groupDirectory)/\(asset.path)"
            try Data("sho".utf8).write(to: URL(filePath: path))
            #expect(await fixture.store.find([.prefetched(key())], in: StoreFixture.group, until: .now) == nil)
            try FileManager.default.removeItem(atPath: path)
            #expect(await fixture.store.find([.prefetched(key())], in: StoreFixture.group, until: .now) == nil)
        }
    }

    @Test func `a media item whose thumbnail was evicted is not found`() async throws {
        try await StoreFixture.with { fixture in
            let (_, thumbnail) = try await recordWithThumbnail(fixture)
            try await fixture.setUse(of: thumbnail, to: 1)
            let later = Date(timeIntervalSinceNow: 600)
            _ = await fixture.store.evict(within: ContainerLimits(quota: "shown".utf8.count), at: later)
            #expect(try fixture.kept() == ["shown"])
            #expect(await fixture.store.find([.prefetched(key())], in: StoreFixture.group, until: later) == nil)
        }
    }

    @Test func `a lookup finds the file of the last of several messages`() async throws {
        try await StoreFixture.with { fixture in
            let (old, new) = (try await fixture.keep("old"), try await fixture.keep("new"))
            for (id, asset) in [("m-1", old), ("m-2", new)] {
                try await fixture.store.record(try record(id, "p", [asset]), in: StoreFixture.group)
            }
            let kept = await fixture.store.find([.prefetched(key())], in: StoreFixture.group, until: .now)
            #expect(kept?.assets == [new])
        }
    }

    @Test func `a lookup leases the files that it finds`() async throws {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("shown")
            try await fixture.store.record(try record("m", "p", [asset]), in: StoreFixture.group)
            let later = Date(timeIntervalSinceNow: 600)
            _ = await fixture.store.find([.prefetched(key())], in: StoreFixture.group, until: later)
            _ = await fixture.store.evict(within: ContainerLimits(quota: 0), at: later)
            #expect(try fixture.kept() == ["shown"])
        }
    }

    @Test func `a lookup leases files for at most thirty days`() async throws {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("shown")
            try await fixture.store.record(try record("m", "p", [asset]), in: StoreFixture.group)
            _ = await fixture.store.find([.prefetched(key())], in: StoreFixture.group, until: .distantFuture)
            for (days, texts) in [(29.0, ["shown"]), (31.0, [])] {
                let later = Date(timeIntervalSinceNow: days * 86_400)
                _ = await fixture.store.evict(within: ContainerLimits(quota: 0), at: later)
                #expect(try fixture.kept() == texts)
            }
        }
    }

    @Test func `media can be stored again after their directory was deleted`() async throws {
        try await StoreFixture.with { fixture in
            try await fixture.keep("one")
            try FileManager.default.removeItem(atPath: fixture.groupDirectory + "/media")
            try await fixture.keep("two")
            #expect(try fixture.kept() == ["two"])
        }
    }
}
