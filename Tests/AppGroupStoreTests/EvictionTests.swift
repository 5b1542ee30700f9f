import Base
import Foundation
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore

@Suite struct EvictionTests {
    private let other = AppGroupName("group.other")
    /// A date after the end of every lease with a past deadline. Such a lease ends a minute after its deadline.
    private let later = Date(timeIntervalSinceNow: 120)

    @Test func `eviction removes no file if the stored bytes are within the quota`() async throws {
        try await StoreFixture.with { fixture in
            for text in ["one", "two"] { try await fixture.keep(text) }
            let report = await fixture.store.evict(within: ContainerLimits(quota: 6), at: later)
            #expect(report.keptBytes == 6 && report.freedBytes == 0 && report.excess == nil)
            #expect(try fixture.kept() == ["one", "two"])
        }
    }

    @Test
    func `eviction removes the least recently used files of all groups if the stored bytes exceed the quota`()
        async throws
    {
        let other = try #require(other)
        try await StoreFixture.with { fixture in
            let names = ["aaaa", "bbbb", "cccc", "dddd"]
            for (index, name) in names.enumerated() {
                let group = index.isMultiple(of: 2) ? StoreFixture.group : other
                let asset = try await fixture.keep(name, in: group)
                try await fixture.setUse(of: asset, in: group, to: 1_000 + index)
            }
            let report = await fixture.store.evict(
                within: ContainerLimits(quota: 9, retention: .seconds(86_400 * 36_500)), at: later)
            #expect(report.evictedFiles == 2 && report.expiredFiles == 0)
            #expect(report.freedBytes == 8 && report.keptBytes == 8)
            #expect(try fixture.kept() == ["cccc"])
            #expect(try fixture.kept(in: other) == ["dddd"])
        }
    }

    @Test func `a group has its own quota and retention, and the other groups have those of all`() async throws {
        let other = try #require(other)
        try await StoreFixture.with { fixture in
            for (index, name) in ["aaaa", "bbbb", "cccc"].enumerated() {
                for group in [StoreFixture.group, other] {
                    let asset = try await fixture.keep(name, in: group)
                    try await fixture.setUse(of: asset, in: group, to: 1_000 + index)
                }
            }
            let century = Duration.seconds(86_400 * 36_500)
            var limits = ContainerLimits(quota: 100, retention: century)
            limits.groups[other] = ContainerLimits.OfGroup(quota: 9, retention: century)
            let first = await fixture.store.evict(within: limits, at: later)
            #expect(first.evictedFiles == 1 && first.expiredFiles == 0 && first.keptBytes == 20)
            #expect(try fixture.kept() == ["aaaa", "bbbb", "cccc"])
            #expect(try fixture.kept(in: other) == ["bbbb", "cccc"])
            limits.groups[other] = ContainerLimits.OfGroup(quota: nil, retention: .seconds(3_600))
            let second = await fixture.store.evict(within: limits, at: later)
            #expect(second.expiredFiles == 2 && second.keptBytes == 12)
            #expect(try fixture.kept(in: other) == [])
        }
    }

    @Test func `an eviction that is cancelled removes nothing more, and is no failure`() async throws {
        try await StoreFixture.with { fixture in
            for number in 0..<200 { try await fixture.keep("file \(number)") }
            let eviction = Task {
                withUnsafeCurrentTask { unsafe $0?.cancel() }
                return await fixture.store.evict(within: ContainerLimits(quota: 1), at: later)
            }
            #expect(await eviction.value.excess == nil)
            #expect(try fixture.kept().count == 200)
            let whole = await fixture.store.evict(within: ContainerLimits(quota: 1), at: later)
            #expect(whole.evictedFiles == 200 && whole.keptBytes == 0)
        }
    }

    @Test func `a file that is used again is evicted after a file that was stored later`() async throws {
        try await StoreFixture.with { fixture in
            let first = try await fixture.keep("first")
            let second = try await fixture.keep("other")
            for asset in [first, second] { try await fixture.setUse(of: asset, to: 1_000) }
            try await fixture.store.record(
                StoreFixture.message(try #require(RequestID("m")), [first]), in: StoreFixture.group)
            _ = await fixture.store.evict(within: ContainerLimits(quota: 5), at: later)
            #expect(try fixture.kept() == ["first"])
        }
    }

    @Test func `eviction keeps a file that an unemitted request needs, even if the quota is exceeded`() async throws {
        try await StoreFixture.with { fixture in
            try await fixture.keep("needed", until: later.addingTimeInterval(1))
            try await fixture.keep("not")
            let report = await fixture.store.evict(within: ContainerLimits(quota: 1), at: later)
            #expect(try fixture.kept() == ["needed"])
            #expect(report.excess == .filesInUse && report.keptBytes == 6)
        }
    }

    @Test func `eviction keeps the files of a result for a minute after the deadline of the request`() async throws {
        try await StoreFixture.with { fixture in
            try await fixture.keep("shown", until: .now)
            _ = await fixture.store.evict(within: ContainerLimits(quota: 1), at: Date(timeIntervalSinceNow: 50))
            #expect(try fixture.kept() == ["shown"])
            _ = await fixture.store.evict(within: ContainerLimits(quota: 1), at: Date(timeIntervalSinceNow: 70))
            #expect(try fixture.kept() == [])
        }
    }

    @Test func `a lease is never shortened, and ends after at most thirty days`() async throws {
        try await StoreFixture.with { fixture in
            try await fixture.keep("held", until: .distantFuture)
            try await fixture.keep("held", until: .distantPast)
            _ = await fixture.store.evict(
                within: ContainerLimits(quota: 1), at: Date(timeIntervalSinceNow: 29 * 86_400))
            #expect(try fixture.kept() == ["held"])
            _ = await fixture.store.evict(
                within: ContainerLimits(quota: 1), at: Date(timeIntervalSinceNow: 31 * 86_400))
            #expect(try fixture.kept() == [])
        }
    }

    @Test func `eviction removes a file and its messages after the file's retention`() async throws {
        try await StoreFixture.with { fixture in
            let old = try await fixture.keep("old")
            let leased = try await fixture.keep("held", until: later.addingTimeInterval(9_000))
            for (name, asset) in [("m-old", old), ("m-held", leased)] {
                try await fixture.store.record(
                    StoreFixture.message(try #require(RequestID(name)), [asset]), in: StoreFixture.group)
            }
            let limits = ContainerLimits(retention: .seconds(3_600))
            let early = await fixture.store.evict(within: limits, at: Date(timeIntervalSinceNow: 3_500))
            #expect(early.expiredFiles == 0)
            let report = await fixture.store.evict(within: limits, at: Date(timeIntervalSinceNow: 3_700))
            #expect(report.expiredFiles == 1 && report.evictedFiles == 0)
            #expect(try fixture.kept() == ["held"])
            #expect(try await fixture.rows("SELECT id FROM message") == ["m-held"])
            #expect(try await fixture.rows("SELECT path FROM messageFile") == [leased.path])
        }
    }

    @Test func `eviction removes more files than fit into one batch`() async throws {
        try await StoreFixture.with { fixture in
            for number in 0..<200 { try await fixture.keep("\(number)") }
            let report = await fixture.store.evict(within: ContainerLimits(quota: 0), at: later)
            #expect(report.evictedFiles == 200 && report.keptBytes == 0)
            #expect(try fixture.kept() == [])
            #expect(try await fixture.rows("SELECT sha256 FROM asset") == [])
        }
    }

    @Test func `eviction removes files of other groups if the index of one group is unusable`() async throws {
        let other = try #require(other)
        try await StoreFixture.with { fixture in
            try await fixture.keep("fine", in: other)
            for directory in ["media", "index.sqlite"] {
                try FileManager.default.createDirectory(
                    atPath: "\(fixture.groupDirectory)/\(directory)", withIntermediateDirectories: true)
            }
            let report = await fixture.store.evict(within: ContainerLimits(quota: 0), at: later)
            #expect(report.evictedFiles == 1)
            #expect(try fixture.kept(in: other) == [])
        }
    }

    @Test(arguments: ["no database at all", String(repeating: "SQLite format 3\0", count: 300)])
    func `a damaged index is renamed and replaced by an index of the files`(damage: String) async throws {
        let warnings = Guarded<[String]>([])
        let directory = try TemporaryDirectory()
        var store = try AppGroupStore(root: directory.path)
        let asset = try await StoreFixture(store: store, directory: directory).keep("kept")
        await store.shutdown()
        let index = "\(directory.path)/\(StoreFixture.group)/index.sqlite"
        for part in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: index + part) }
        try Data(damage.utf8).write(to: URL(filePath: index))
        store = try AppGroupStore(root: directory.path) { words in warnings.withLock { $0.append(words) } }
        let fixture = StoreFixture(store: store, directory: directory)
        await store.reconcile(at: later)
        #expect(try await fixture.rows("SELECT path FROM asset") == [asset.path])
        #expect(FileManager.default.contents(atPath: index + ".damaged") == Data(damage.utf8))
        #expect(warnings.withLock { $0.count } == 1)
        let report = await store.evict(within: ContainerLimits(quota: 0), at: later)
        #expect(report.evictedFiles == 1)
        await store.shutdown()
    }

    // MARK: Reconciliation after a crash

    @Test func `the index lists exactly the existing files after a reconciliation`() async throws {
        try await StoreFixture.with { fixture in
            let lost = try await fixture.keep("lost")
            let unknown = try await fixture.keep("unknown")
            let leased = try await fixture.keep("held", until: later.addingTimeInterval(60))
            for asset in [lost, leased] {
                try FileManager.default.removeItem(atPath: "\(fixture.groupDirectory)/\(asset.path)")
            }
            try await fixture.write("DELETE FROM asset WHERE sha256 = '\(unknown.sha256)'")
            let shard = "\(fixture.groupDirectory)/media/\(unknown.sha256.prefix(2))"
            for name in ["\(unknown.sha256).txt", "notes.jpg", "\(unknown.sha256.dropLast()).jpg"] {
                try Data("not ours".utf8).write(to: URL(filePath: "\(shard)/\(name)"))
            }
            await fixture.store.reconcile(at: later)
            let rows = try await fixture.rows("SELECT path FROM asset")
            #expect(Set(rows) == [unknown.path, leased.path], "a leased file may not be in the directory yet")
            #expect(try await fixture.rows("SELECT mimeType FROM asset WHERE bytes = 7") == ["image/jpeg"])
            let report = await fixture.store.evict(
                within: ContainerLimits(quota: 0), at: later.addingTimeInterval(3_600))
            #expect(report.evictedFiles == 2)
            #expect(try FileManager.default.contentsOfDirectory(atPath: shard).count == 3)
        }
    }

    @Test func `a reconciliation removes a temporary file after an hour if the file system has no nameless files`()
        async throws
    {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("whole")
            let shard = "\(fixture.groupDirectory)/media/\(asset.sha256.prefix(2))"
            try Data("ha".utf8).write(to: URL(filePath: shard + "/.part-1"))
            await fixture.store.reconcile(at: Date(timeIntervalSinceNow: 3_500))
            #expect(try fixture.directory.files().contains { $0.hasSuffix(".part-1") })
            await fixture.store.reconcile(at: Date(timeIntervalSinceNow: 3_700))
            #expect(try !fixture.directory.files().contains { $0.hasSuffix(".part-1") })
        }
    }

    @Test func `an index of the first version is migrated`() async throws {
        let directory = try TemporaryDirectory()
        let group = "\(directory.path)/\(StoreFixture.group)"
        try FileManager.default.createDirectory(atPath: group, withIntermediateDirectories: true)
        try StoreFixture.makeFirstIndex(group + "/index.sqlite")
        let fixture = StoreFixture(store: try AppGroupStore(root: directory.path), directory: directory)
        let asset = try await fixture.keep("new")
        try await fixture.store.record(
            StoreFixture.message(try #require(RequestID("m")), [asset]), in: StoreFixture.group)
        #expect(try await fixture.rows("SELECT path FROM messageFile") == [asset.path])
        await fixture.store.shutdown()
    }
}
