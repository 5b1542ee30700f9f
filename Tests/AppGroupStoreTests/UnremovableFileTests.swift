import Base
import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore

/// Tests of eviction with files that cannot be removed, and with an index that cannot be used.
@Suite struct UnremovableFileTests {
    /// A time after the end of every lease.
    private let later = Date(timeIntervalSinceNow: 120)
    private let longRetention = Duration.seconds(86_400 * 36_500)

    /// Stores files that cannot be removed, and after them other files. All files were used long ago. The last use of
    /// the files that cannot be removed was the earliest.
    private func fill(_ fixture: StoreFixture, unremovable: Int, removable: Int) async throws -> [StoredAsset] {
        for number in 0..<unremovable { try replaceByDirectory(try await fixture.keep("stuck \(number)"), in: fixture) }
        try await fixture.write("UPDATE asset SET usedAt = 1000")
        var others: [StoredAsset] = []
        for number in 0..<removable { others.append(try await fixture.keep("old \(number)")) }
        try await fixture.write("UPDATE asset SET usedAt = 2000 WHERE usedAt > 1000")
        return others
    }

    /// Replaces a file by a directory that is not empty. No user can unlink it, not even root.
    private func replaceByDirectory(_ asset: StoredAsset, in fixture: StoreFixture) throws {
        let path = "\(fixture.groupDirectory)/\(asset.path)"
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path + "/x", withIntermediateDirectories: true)
    }

    private func exists(_ asset: StoredAsset, in fixture: StoreFixture) -> Bool {
        FileManager.default.fileExists(atPath: "\(fixture.groupDirectory)/\(asset.path)")
    }

    @Test func `a file that cannot be removed is reported, and the index still lists it`() async throws {
        let warnings = Guarded<[String]>([])
        let directory = try TemporaryDirectory()
        let store = try AppGroupStore(root: directory.path) { words in warnings.withLock { $0.append(words) } }
        let fixture = StoreFixture(store: store, directory: directory)
        let asset = try await fixture.keep("stuck")
        try replaceByDirectory(asset, in: fixture)
        let report = await store.evict(within: ContainerLimits(quota: 0), at: later)
        #expect(report.evictedFiles == 0 && report.keptBytes == 5)
        #expect(try await fixture.rows("SELECT path FROM asset") == [asset.path])
        #expect(warnings.withLock { $0.count } == 1)
        await store.shutdown()
    }

    /// The size of a batch is 64.
    @Test(arguments: [1, 64])
    func `eviction removes the other expired files if some expired files cannot be removed`(count: Int) async throws {
        try await StoreFixture.with { fixture in
            let others = try await fill(fixture, unremovable: count, removable: 64)
            let report = await fixture.store.evict(within: ContainerLimits(), at: later)
            #expect(report.expiredFiles == others.count)
            #expect(!others.contains { exists($0, in: fixture) })
        }
    }

    @Test func `eviction removes the other files over the quota if some files cannot be removed`() async throws {
        try await StoreFixture.with { fixture in
            let others = try await fill(fixture, unremovable: 64, removable: 2)
            let limits = ContainerLimits(quota: 0, retention: longRetention)
            let report = await fixture.store.evict(within: limits, at: later)
            #expect(report.evictedFiles == others.count)
            #expect(!others.contains { exists($0, in: fixture) })
        }
    }

    @Test func `the report states that files which cannot be removed exceed the quota`()
        async throws
    {
        try await StoreFixture.with { fixture in
            _ = try await fill(fixture, unremovable: 1, removable: 0)
            try await fixture.keep("needed", until: later.addingTimeInterval(1))
            let limits = ContainerLimits(quota: 6, retention: longRetention)
            let report = await fixture.store.evict(within: limits, at: later)
            #expect(report.excess == .evictionFailed)
        }
    }

    @Test func `the report states that the store exceeds its quota because of an unusable index`() async throws {
        let other = try #require(AppGroupName("group.other"))
        try await StoreFixture.with { fixture in
            try await fixture.keep("needed", in: other, until: later.addingTimeInterval(1))
            // The store renames a directory that has the name of an index, unless the new name is in use.
            for directory in ["media", "index.sqlite", "index.sqlite.damaged/x"] {
                try FileManager.default.createDirectory(
                    atPath: "\(fixture.groupDirectory)/\(directory)", withIntermediateDirectories: true)
            }
            let report = await fixture.store.evict(within: ContainerLimits(quota: 1), at: later)
            #expect(report.keptBytes == 6 && report.excess == .evictionFailed)
        }
    }
}
