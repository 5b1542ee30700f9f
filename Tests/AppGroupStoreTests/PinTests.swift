import Base
import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore
@testable import StoreTools

/// Tests of pins: any process finds the pinned renditions of a media item by its URL until the pin ends.
@Suite struct PinTests {
    private func key(_ url: String = "https://a.example/1.heic", profile: MediaProfile = .ios) -> PinKey {
        PinKey(url: url, recipe: RenditionRecipe(profile.attachment, AttachmentOptions()))
    }

    private func media(_ assets: [StoredAsset]) -> StoredRenditions {
        StoredRenditions(assets: assets, sourceType: "image/heic", sourceByteCount: 70)
    }

    private let tomorrow = Date.now.addingTimeInterval(86_400)
    private let group = StoreFixture.group

    @Test func `a pin is found only under its URL, recipe and group`() async throws {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("shown")
            #expect(await fixture.store.find([.pinned(key())], in: group, until: .now) == nil)
            try await fixture.store.pin(media([asset]), as: key(), in: group, until: tomorrow)
            #expect(await fixture.store.find([.pinned(key())], in: group, until: .now) == media([asset]))
            for other in [key("https://a.example/2.heic"), key(profile: .web)] {
                #expect(await fixture.store.find([.pinned(other)], in: group, until: .now) == nil)
            }
            let unknownKey = try #require(AppGroupName("group.other"))
            #expect(await fixture.store.find([.pinned(key())], in: unknownKey, until: .now) == nil)
        }
    }

    @Test func `a pin records the damage of its media item`() async throws {
        try await StoreFixture.with { fixture in
            var damaged = media([try await fixture.keep("shown")])
            damaged.damage = "damaged: the first frame"
            try await fixture.store.pin(damaged, as: key(), in: group, until: tomorrow)
            #expect(await fixture.store.find([.pinned(key())], in: group, until: .now) == damaged)
        }
    }

    @Test func `a pin of another process is found within a second`() async throws {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("shown")
            // The first lookup finds no pin, and its result is cached for a second.
            #expect(await fixture.store.find([.pinned(key())], in: group, until: .now) == nil)
            let other = try AppGroupStore(root: fixture.directory.path)
            try await other.pin(media([asset]), as: key(), in: group, until: tomorrow)
            await other.shutdown()
            try await wait(for: "the pin of the other process") {
                await fixture.store.find([.pinned(key())], in: group, until: .now) == media([asset])
            }
        }
    }

    @Test func `a pin that has ended is not found, and its file is evicted`() async throws {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("shown")
            try await fixture.store.pin(media([asset]), as: key(), in: group, until: .now.addingTimeInterval(-1))
            #expect(await fixture.store.find([.pinned(key())], in: group, until: .now) == nil)
            _ = await fixture.store.evict(within: ContainerLimits(quota: 0), at: .now.addingTimeInterval(120))
            #expect(try fixture.kept() == [])
        }
    }

    @Test func `after a jump of the clock, no ended pin is found and no valid pin is lost`() async throws {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("shown")
            let end = Date(timeIntervalSince1970: 1_900_000_000)
            try await fixture.store.pin(media([asset]), as: key(), in: group, until: end)
            let time = Guarded(end)
            // A process reads the pins for the first time while the clock is past their end.
            let store = try AppGroupStore(root: fixture.directory.path, now: { time.withLock { $0 } })
            for (jump, isServed) in [(1.0, false), (-86_400, true), (0, false), (86_400 * 365, false), (-1, true)] {
                time.withLock { $0 = end.addingTimeInterval(jump) }
                let found = await store.find([.pinned(key())], in: group, until: .distantPast)
                #expect((found == media([asset])) == isServed, "\(jump)")
            }
            await store.shutdown()
        }
    }

    @Test func `eviction keeps a pinned file beyond its retention and the quota until its pin is released`()
        async throws
    {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("shown")
            _ = try await fixture.keep("other")
            try await fixture.store.pin(media([asset]), as: key(), in: group, until: tomorrow)
            let later = Date.now.addingTimeInterval(7_200)
            let limits = ContainerLimits(quota: 0, retention: .seconds(60))
            #expect(await fixture.store.evict(within: limits, at: later).excess == .filesInUse)
            #expect(try fixture.kept() == ["shown"])
            #expect(try await fixture.store.unpin(key().url, in: group) == 1)
            #expect(await fixture.store.find([.pinned(key())], in: group, until: .now) == nil)
            _ = await fixture.store.evict(within: limits, at: later)
            #expect(try fixture.kept() == [])
        }
    }

    @Test func `an operator sets an earlier date for the pins of a URL without a stored response`() async throws {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("shown")
            for profile in [MediaProfile.ios, .web] {
                try await fixture.store.pin(media([asset]), as: key(profile: profile), in: group, until: tomorrow)
            }
            let soon = Date(timeIntervalSince1970: Date.now.addingTimeInterval(600).timeIntervalSince1970.rounded())
            #expect(try await fixture.store.pinRenditions(ofResponses: [], at: key().url, until: soon) == 2)
            let reader = try StoreReader(root: fixture.directory.path)
            let pins = try reader.pins(of: key().url, at: .now)
            #expect(pins.map(\.until) == [soon, soon])
            #expect(pins.allSatisfy { $0.files.map(\.path) == [asset.path] && $0.group == group })
            #expect(try reader.pins(of: key().url, at: soon).isEmpty)
            var files: [ListedFile] = []
            try reader.forEachFile { files.append($0) }
            #expect(files.map(\.pinnedUntil) == [soon])
            _ = await fixture.store.evict(within: ContainerLimits(quota: 0), at: .now.addingTimeInterval(7_200))
            #expect(try fixture.kept() == [])
        }
    }

    @Test func `a new date does not restore a pin that has ended`() async throws {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("shown")
            try await fixture.store.pin(media([asset]), as: key(), in: group, until: .now.addingTimeInterval(-60))
            #expect(try await fixture.store.pinRenditions(ofResponses: [], at: key().url, until: tomorrow) == 0)
            #expect(await fixture.store.find([.pinned(key())], in: group, until: .now) == nil)
        }
    }

    @Test func `a second pin with an earlier date does not shorten the first pin`() async throws {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("shown")
            try await fixture.store.pin(media([asset]), as: key(), in: group, until: tomorrow)
            try await fixture.store.pin(media([asset]), as: key(), in: group, until: .now.addingTimeInterval(60))
            let later = Date.now.addingTimeInterval(7_200)
            _ = await fixture.store.evict(within: ContainerLimits(quota: 0), at: later)
            #expect(try fixture.kept() == ["shown"])
        }
    }

    @Test func `pins beyond the quota are refused, and a file that two pins share is counted once`() async throws {
        try await StoreFixture.with { fixture in
            fixture.store.change(pinQuota: 10)
            let (shared, large) = (try await fixture.keep("12345678"), try await fixture.keep("abc"))
            try await fixture.store.pin(media([shared]), as: key("https://a.example/1"), in: group, until: tomorrow)
            try await fixture.store.pin(media([shared]), as: key("https://a.example/2"), in: group, until: tomorrow)
            let refused = await #expect(throws: MediaFailure.self) {
                try await fixture.store.pin(media([large]), as: key("https://a.example/3"), in: group, until: tomorrow)
            }
            #expect(refused?.reason == .storageFailed)
            #expect(refused?.detail.contains("media.quota") == true)
        }
    }

    @Test func `a pin of a file without a row in the index is refused`() async throws {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("shown")
            try await fixture.write("DELETE FROM asset")
            let refused = await #expect(throws: MediaFailure.self) {
                try await fixture.store.pin(media([asset]), as: key(), in: group, until: tomorrow)
            }
            #expect(refused?.detail == "the file of the rendition was removed in the meantime: warm it again")
        }
    }

    @Test func `a pin whose file is missing is not found`() async throws {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("shown")
            try await fixture.store.pin(media([asset]), as: key(), in: group, until: tomorrow)
            try FileManager.default.removeItem(atPath: "\(fixture.groupDirectory)/\(asset.path)")
            #expect(await fixture.store.find([.pinned(key())], in: group, until: .now) == nil)
        }
    }
}
