import Base
import Foundation
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore

/// Tests of the bounded cache of open indexes. A group whose index is closed loses no data.
@Suite(.timeLimit(.minutes(1)))
struct OpenIndexTests {
    private let directory: TemporaryDirectory
    private let later = Date(timeIntervalSinceNow: 120)
    private let names = ["a", "b", "c", "d", "e", "f"]

    init() throws { directory = try TemporaryDirectory() }

    private func with(_ openIndexes: Int, _ body: (StoreFixture) async throws -> Void) async throws {
        let store = try AppGroupStore(root: directory.path, openIndexes: openIndexes)
        do { try await body(StoreFixture(store: store, directory: directory)) } catch {
            await store.shutdown()
            throw error
        }
        await store.shutdown()
    }

    private func group(_ name: String) throws -> AppGroupName { try #require(AppGroupName(name)) }

    private func index(_ name: String) -> String { "\(directory.path)/\(name)/index.sqlite" }

    /// The number of this process's descriptors whose files are in the root.
    private var descriptors: Int {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return all.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
            .count { $0.contains(URL(filePath: directory.path).lastPathComponent) }
    }

    /// Makes the files of the indexes look as if they had been unchanged for a minute.
    private func age(_ names: [String]) throws {
        for name in names {
            for part in ["", "-wal"] where FileSystem.size(of: index(name) + part) != nil {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: index(name) + part)
            }
        }
    }

    @Test func `the number of open indexes does not exceed the limit, and every group keeps its media`() async throws {
        try await with(2) { fixture in
            for name in names {
                let asset = try await fixture.keep(name, in: try group(name))
                try await fixture.store.record(
                    StoreFixture.message(try #require(RequestID("m")), [asset]), in: try group(name))
                #expect(fixture.store.indexOpenings.open <= 2)
            }
            #expect(descriptors == 6)
            for name in names {
                let key = PrefetchKey(
                    providerID: "m", url: "https://a.example/0",
                    recipe: RenditionRecipe(MediaProfile.ios.attachment, AttachmentOptions()))
                _ = await fixture.store.find([.prefetched(key)], in: try group(name), until: .now)
                #expect(try fixture.kept(in: try group(name)) == [name])
            }
            let report = await fixture.store.evict(within: ContainerLimits(quota: 0), at: later)
            #expect(report.evictedFiles == names.count)
        }
        #expect(descriptors == 0)
    }

    @Test func `the least recently used index is closed first`() async throws {
        try await with(2) { fixture in
            for name in ["a", "b", "a", "c"] { try await fixture.keep(name, in: try group(name)) }
            let openings = fixture.store.indexOpenings
            #expect(openings == IndexOpenings(open: 2, total: 3))
            try await fixture.keep("more", in: try group("a"))
            #expect(fixture.store.indexOpenings.total == 3)
            try await fixture.keep("more", in: try group("b"))
            #expect(fixture.store.indexOpenings.total == 4)
        }
    }

    @Test func `a closed index leaves empty WAL files for readers that must not create files`() async throws {
        try await with(1) { fixture in
            for name in ["a", "b"] { try await fixture.keep(name, in: try group(name)) }
            for part in ["-wal", "-shm"] { #expect(FileSystem.size(of: index("a") + part) == 0) }
            #expect(FileSystem.size(of: index("b") + "-wal").map { $0 > 0 } == true)
            // The index opens again with these files, and has its rows.
            let asset = try await fixture.keep("a", in: try group("a"))
            #expect(FileSystem.size(of: "\(directory.path)/a/\(asset.path)") == 1)
        }
    }

    @Test func `an index that no request uses for a minute is closed`() async throws {
        try await with(4) { fixture in
            try await fixture.keep("a", in: try group("a"))
            await fixture.store.closeIdleIndexes(at: .now.advanced(by: .seconds(59)))
            #expect(fixture.store.indexOpenings.open == 1)
            await fixture.store.closeIdleIndexes(at: .now.advanced(by: .seconds(61)))
            #expect(fixture.store.indexOpenings.open == 0)
            #expect(descriptors == 0)
        }
    }

    @Test func `eviction opens only the indexes that have changed`() async throws {
        let limits = ContainerLimits(quota: 100, retention: .seconds(3_600))
        try await with(1) { fixture in
            for name in names { try await fixture.keep(name, in: try group(name)) }
        }
        try age(names)
        try await with(1) { fixture in
            let first = await fixture.store.evict(within: limits, at: later)
            #expect(first.keptBytes == 6 && fixture.store.indexOpenings.total == 6)
            let second = await fixture.store.evict(within: limits, at: later)
            #expect(second.keptBytes == 6 && fixture.store.indexOpenings.total == 6)
            // Another process stores a file.
            let other = try AppGroupStore(root: directory.path)
            let asset = try await StoreFixture(store: other, directory: directory).keep("four", in: try group("b"))
            await other.shutdown()
            let third = await fixture.store.evict(within: limits, at: later)
            #expect(third.keptBytes == 10 && fixture.store.indexOpenings.total == 7)
            // A file whose retention has ended is removed although no index has changed.
            try age(names)
            _ = await fixture.store.evict(within: limits, at: later)
            let last = await fixture.store.evict(within: limits, at: Date(timeIntervalSinceNow: 7_200))
            #expect(last.keptBytes == 0 && last.expiredFiles == 7)
            #expect(FileSystem.size(of: "\(directory.path)/b/\(asset.path)") == nil)
        }
    }

    @Test func `maintenance of all groups leaves the indexes of requests open`() async throws {
        try await with(2) { fixture in
            for name in names { try await fixture.keep(name, in: try group(name)) }
            let before = fixture.store.indexOpenings
            await fixture.store.reconcile(at: later)
            _ = await fixture.store.evict(within: ContainerLimits(), at: later)
            let after = fixture.store.indexOpenings
            #expect(after.open == 2)
            for name in ["e", "f"] { try await fixture.keep("more", in: try group(name)) }
            #expect(fixture.store.indexOpenings == after)
            // Both the reconciliation and the eviction opened each of the other four indexes once.
            #expect(after.total <= before.total + 8)
        }
    }

    @Test func `eviction enforces the quota if there are more groups than permitted open indexes`() async throws {
        try await with(1) { fixture in
            for (number, name) in names.enumerated() {
                for part in 0..<3 {
                    let asset = try await fixture.keep("\(name)\(part)", in: try group(name))
                    try await fixture.setUse(of: asset, in: try group(name), to: 1_000 + part * 10 + number)
                }
            }
            let limits = ContainerLimits(quota: 14, retention: .seconds(86_400 * 36_500))
            let report = await fixture.store.evict(within: limits, at: later)
            #expect(report.evictedFiles == 11 && report.keptBytes == 14 && report.excess == nil)
            for (number, name) in names.enumerated() {
                let expected = number < 5 ? ["\(name)2"] : ["\(name)1", "\(name)2"]
                #expect(try fixture.kept(in: try group(name)) == expected)
            }
        }
    }

    @Test
    func `eviction opens no index for old files that are leased or pinned, until the lease or pin ends`() async throws {
        let limits = ContainerLimits(retention: .seconds(60))
        let lease = Date(timeIntervalSinceNow: 1_800)
        let key = PinKey(
            url: "https://a.example/1", recipe: RenditionRecipe(MediaProfile.ios.attachment, AttachmentOptions()))
        try await with(1) { fixture in
            let leased = try await fixture.keep("leased", in: try group("a"), until: lease)
            let pinned = try await fixture.keep("pinned", in: try group("b"))
            try await fixture.store.pin(
                StoredRenditions(assets: [pinned], sourceType: "image/jpeg", sourceByteCount: 7), as: key,
                in: try group("b"), until: lease)
            for (asset, name) in [(leased, "a"), (pinned, "b")] {
                try await fixture.setUse(of: asset, in: try group(name), to: 1_000)
            }
            await fixture.store.closeIndexes()
            try age(["a", "b"])
            let first = await fixture.store.evict(within: limits, at: later)
            let total = fixture.store.indexOpenings.total
            let second = await fixture.store.evict(within: limits, at: later)
            #expect(first.keptBytes == 12 && second.keptBytes == 12)
            #expect(fixture.store.indexOpenings.total == total)
            let last = await fixture.store.evict(within: limits, at: Date(timeIntervalSinceNow: 3_600))
            #expect(last.expiredFiles == 2 && last.keptBytes == 0)
        }
    }

    @Test func `eviction finishes even if the time of last use of a file is damaged`() async throws {
        try await with(2) { fixture in
            for (name, use) in [("a", 1 << 60), ("b", 100_000_000_000)] {
                let asset = try await fixture.keep(name, in: try group(name))
                try await fixture.setUse(of: asset, in: try group(name), to: use)
            }
            let report = await fixture.store.evict(within: ContainerLimits(quota: 0), at: later)
            #expect(report.excess == .evictionFailed)
        }
    }

    @Test func `concurrent maintenance of many groups opens a bounded number of indexes`() async throws {
        try await with(1) { fixture in
            let groups = try (0..<12).map { try group("g\($0)") }
            let counts = try await withThrowingTaskGroup(of: Int.self) { tasks in
                for group in groups { tasks.addTask { try await fixture.store.countOfOpenIndexes(holding: group) } }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }
            #expect(counts.count == 12)
            #expect(counts.max().map { $0 <= 5 } == true, "\(counts)")
            #expect(fixture.store.indexOpenings.open <= 1)
        }
    }

    @Test func `concurrent pin calls count each pin of all groups once, and do not exceed the quota of pins`()
        async throws
    {
        let recipe = RenditionRecipe(MediaProfile.ios.attachment, AttachmentOptions())
        try await with(1) { fixture in
            var media: [(media: StoredRenditions, group: AppGroupName)] = []
            for number in 0..<70 {
                let group = try group("g\(number)")
                let asset = try await fixture.keep("\(number % 10)", in: group)
                media.append((StoredRenditions(assets: [asset], sourceType: "image/jpeg", sourceByteCount: 7), group))
            }
            fixture.store.change(pinQuota: 3)
            let before = fixture.store.indexOpenings.total
            let pinned = try await withThrowingTaskGroup(of: Bool.self) { tasks in
                for (number, (media, group)) in media.prefix(6).enumerated() {
                    let key = PinKey(url: "https://a.example/\(number)", recipe: recipe)
                    tasks.addTask {
                        try await fixture.store.tryPin(media, as: key, in: group, until: later) == .pinned
                    }
                }
                return try await tasks.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(pinned == 3)
            #expect(fixture.store.indexOpenings.total - before <= 80)
        }
    }

    @Test func `the number of keys in the directory of pins is limited for all groups together`() throws {
        var directory = PinDirectory()
        let keys = (0..<PinDirectory.maxKeys).map { (url: "\($0)", recipe: "") }
        for number in 0..<40 { directory.set(keys, of: try group("g\(number)"), dataVersion: 1, at: .now) }
        #expect(directory.keyCount <= PinDirectory.maxKeysOfAll)
        #expect(directory.isCurrent(try group("g39"), dataVersion: 1))
        #expect(!directory.isCurrent(try group("g0"), dataVersion: 1))
    }

    @Test func `a pin of another process is found after the index was closed`() async throws {
        let key = PinKey(
            url: "https://a.example/1", recipe: RenditionRecipe(MediaProfile.ios.attachment, AttachmentOptions()))
        let end = Date(timeIntervalSinceNow: 86_400)
        try await with(1) { fixture in
            let asset = try await fixture.keep("a", in: try group("a"))
            let media = StoredRenditions(assets: [asset], sourceType: "image/jpeg", sourceByteCount: 7)
            #expect(await fixture.store.find([.pinned(key)], in: try group("a"), until: .now) == nil)
            try await fixture.keep("b", in: try group("b"))
            let other = try AppGroupStore(root: directory.path)
            try await other.pin(media, as: key, in: try group("a"), until: end)
            await other.shutdown()
            try await fixture.keep("c", in: try group("c"))
            #expect(await fixture.store.find([.pinned(key)], in: try group("a"), until: .now) == media)
        }
    }

    @Test func `the files of a group without media take at most 64 kB on the disk`() async throws {
        for name in ["claimed", "incoming", "outbox", "rejected", ".staged"] {
            try FileManager.default.createDirectory(
                atPath: "\(directory.path)/a/\(name)", withIntermediateDirectories: true)
        }
        try await with(1) { fixture in
            try await fixture.store.record(
                StoreFixture.message(try #require(RequestID("m")), []), in: try group("a"))
        }
        let names = try FileManager.default.subpathsOfDirectory(atPath: "\(directory.path)/a").map { "a/" + $0 } + ["a"]
        let bytes = try names.reduce(0) { sum, name in
            var status = stat()
            try #require(lstat("\(directory.path)/\(name)", &status) == 0)
            return sum + Int(status.st_blocks) * 512
        }
        #expect(bytes <= 64 << 10, "\(names)")
    }
}

extension AppGroupStore {
    /// Holds the index of a group while other tasks run, and returns the number of open indexes.
    fileprivate func countOfOpenIndexes(holding group: AppGroupName) async throws -> Int {
        try await withLockedIndex(of: group) {
            try withIndex(of: group) { _ in }
            var most = 0
            for _ in 0..<8 {
                await Task.yield()
                most = max(most, open.count)
            }
            return most
        }
    }
}
