import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore

/// Tests of files that named messages hold.
@Suite struct HoldTests {
    @Test func `a held file is not evicted before the end of its message`() async throws {
        try await StoreFixture.with { fixture in
            let held = try await fixture.keep("held")
            try await fixture.keep("free")
            let end = Date(timeIntervalSinceNow: 86_400)
            #expect(await fixture.store.hold([held.path], in: StoreFixture.group, until: end))
            let none = ContainerLimits(quota: 0)
            _ = await fixture.store.evict(within: none, at: Date(timeIntervalSinceNow: 3_600))
            #expect(try fixture.kept() == ["held"])
            // An earlier end does not shorten the lease.
            #expect(await fixture.store.hold([held.path], in: StoreFixture.group, until: .distantPast))
            _ = await fixture.store.evict(within: none, at: Date(timeIntervalSinceNow: 3_600))
            #expect(try fixture.kept() == ["held"])
            _ = await fixture.store.evict(within: none, at: end.addingTimeInterval(120))
            #expect(try fixture.kept() == [])
        }
    }

    @Test func `a file that is gone cannot be held`() async throws {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("one")
            let end = Date(timeIntervalSinceNow: 60)
            #expect(await fixture.store.hold([], in: StoreFixture.group, until: end))
            for path in ["media/aa/aa.jpg", "", "../x"] {
                #expect(await fixture.store.hold([asset.path, path], in: StoreFixture.group, until: end) == false)
            }
            try FileManager.default.removeItem(atPath: "\(fixture.groupDirectory)/\(asset.path)")
            #expect(await fixture.store.hold([asset.path], in: StoreFixture.group, until: end) == false)
        }
    }
}
