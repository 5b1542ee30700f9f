import Base
import Foundation
import GRDB
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore

/// Tests of an index that becomes damaged while the store runs. The store creates a new index from the files.
@Suite(.timeLimit(.minutes(1)))
final class IndexDamageTests: Sendable {
    private let directory: TemporaryDirectory
    private let warnings = Guarded<[String]>([])
    private let later = Date().addingTimeInterval(60)
    private var path: String { "\(directory.path)/\(StoreFixture.group)/index.sqlite" }

    init() throws { directory = try TemporaryDirectory() }

    private static func id() throws -> RequestID { try #require(RequestID("message")) }

    private func withStore<Value>(_ body: (StoreFixture) async throws -> Value) async throws -> Value {
        let store = try AppGroupStore(root: directory.path) { words in self.warnings.withLock { $0.append(words) } }
        do {
            let value = try await body(StoreFixture(store: store, directory: directory))
            await store.shutdown()
            return value
        } catch {
            await store.shutdown()
            throw error
        }
    }

    /// Stores a file, and inserts rows of missing files until the index is larger than SQLite's memory for pages.
    private func makeIndex() async throws -> StoredAsset {
        try await withStore { fixture in
            let asset = try await fixture.keep("kept")
            try await fixture.write(
                """
                WITH RECURSIVE number(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < 4999),
                    digest(n, d) AS (SELECT n, lower(hex(randomblob(32))) FROM number)
                INSERT INTO asset (sha256, path, mimeType, bytes, width, height, frames, storedAt, usedAt)
                    SELECT d, 'media/' || substr(d, 1, 2) || '/' || d || '.jpg', 'image/jpeg', 7, 1, 1, 1, 9, n FROM digest
                """)
            return asset
        }
    }

    /// Damages all pages except the first 30, which contain the schema and the rows that a start reads.
    private func damageMiddle() throws {
        var bytes = try FileSystem.contents(of: path)
        try #require(bytes.count > 200 * 4_096)
        for offset in 30 * 4_096..<bytes.count { bytes[offset] = 0x5A }
        // The file is overwritten in place, as by a broken disk.
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }

    enum Use: String, CaseIterable, Sendable {
        case evict
        case reconcile
        case hold
        case record
        case renditions

        func run(_ fixture: StoreFixture, _ asset: StoredAsset, at now: Date) async throws {
            let store = fixture.store
            switch self {
            case .evict: _ = await store.evict(within: ContainerLimits(quota: 10 << 20), at: now)
            case .reconcile: await store.reconcile(at: now)
            case .hold:
                // The digests are spread over the whole index.
                for number in 0..<16 { try await fixture.keep("\(number)") }
            case .record:
                try await store.record(StoreFixture.message(try IndexDamageTests.id(), [asset]), in: StoreFixture.group)
            case .renditions:
                for number in 0..<16 {
                    let other = try await fixture.keep("\(number)")
                    let media = StoredRenditions(assets: [other], sourceType: "image/jpeg", sourceByteCount: 1)
                    let key = RenditionKey(
                        identity: "\(number)", recipe: RenditionRecipe(MediaProfile.ios.attachment, AttachmentOptions())
                    )
                    await store.remember(media, as: key, in: StoreFixture.group)
                    _ = await store.find([.made(key)], in: StoreFixture.group, until: now)
                }
            }
        }
    }

    @Test(arguments: Use.allCases)
    func `an index with damaged pages is replaced while the store runs`(_ use: Use)
        async throws
    {
        let asset = try await makeIndex()
        try await withStore { fixture in
            try await fixture.keep("opened")
            try damageMiddle()
            try await use.run(fixture, asset, at: later)
            // The next two runs of the eviction task are simulated. The first run finds the damage if `use` read no
            // damaged page. A run after the replacement of the index inserts the rows of the files again.
            for _ in 0..<2 { _ = await fixture.store.evict(within: ContainerLimits(quota: 10 << 20), at: later) }
            let paths = try fixture.directory.files().filter { $0.contains("/media/") }
                .map { String($0.dropFirst("\(StoreFixture.group)/".count)) }
            let rows = try await fixture.rows("SELECT path FROM asset ORDER BY path")
            #expect(rows == paths.sorted())
            #expect(paths.contains(asset.path))
            let check = try await fixture.rows("PRAGMA integrity_check")
            #expect(check == ["ok"])
            try await fixture.store.record(
                StoreFixture.message(try IndexDamageTests.id(), [asset]), in: StoreFixture.group)
            let shown = try await fixture.rows("SELECT path FROM messageFile")
            #expect(shown.contains(asset.path))
        }
        #expect(FileSystem.size(of: path + ".damaged") ?? 0 > 200 * 4_096)
        let reported = warnings.withLock { $0 }
        #expect(reported.count { $0.hasPrefix("\(path) was damaged (") } == 1, "\(reported)")
    }

    @Test func `the start of the store finds damage in pages that no query reads`() async throws {
        let asset = try await makeIndex()
        let root = try await withStore { fixture in
            try await fixture.rows("SELECT rootpage FROM sqlite_schema WHERE name = 'rendition'").first
        }
        let page = try #require(root.flatMap(Int.init))
        var bytes = try FileSystem.contents(of: path)
        bytes.replaceSubrange((page - 1) * 4_096..<page * 4_096, with: [UInt8](repeating: 0, count: 4_096))
        try FileSystem.write(bytes, toFile: path)
        try await withStore { fixture in
            await fixture.store.reconcile(at: later)
            let check = try await fixture.rows("PRAGMA integrity_check")
            #expect(check == ["ok"])
            let paths = try await fixture.rows("SELECT path FROM asset")
            #expect(paths == [asset.path])
        }
        #expect(warnings.withLock { $0.count } == 1)
    }

    /// SQLite reads values that a broken disk or another program has changed.
    @Test(arguments: [
        "path = '../victim'", "path = 'media/../../victim'", "path = NULL", "path = 7", "bytes = -1",
        "bytes = 9223372036854775807", "sha256 = NULL", "sha256 = x'00'",
    ])
    func `an index with a row of impossible values is rebuilt, and eviction removes no other file`(
        _ change: String
    ) async throws {
        let victim = directory.path + "/victim"
        try FileSystem.write(Array("victim".utf8), toFile: victim)
        let asset = try await withStore { fixture in
            let asset = try await fixture.keep("kept")
            try await fixture.write(
                """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '') WHERE type = 'table';
                PRAGMA writable_schema = RESET;
                UPDATE asset SET \(change);
                """)
            return asset
        }
        try await withStore { fixture in
            _ = await fixture.store.evict(within: ContainerLimits(quota: 0), at: later)
            #expect(FileSystem.size(of: victim) == 6)
            _ = await fixture.store.evict(within: ContainerLimits(), at: later)
            let paths = try await fixture.rows("SELECT path FROM asset")
            #expect(paths == [asset.path])
        }
        #expect(warnings.withLock { $0.first }?.contains("was damaged") == true)
    }

    @Test func `a directory that has the file name of an index is renamed`() async throws {
        let asset = try await makeIndex()
        for part in ["", "-wal", "-shm"] { try? FileSystem.remove(path + part) }
        try FileSystem.makeDirectory(path)
        try await withStore { fixture in
            await fixture.store.reconcile(at: later)
            let paths = try await fixture.rows("SELECT path FROM asset")
            #expect(paths == [asset.path])
        }
        #expect(try FileSystem.look(at: path + ".damaged").kind == .directory)
        #expect(warnings.withLock { $0.count } == 1)
    }

    @Test func `an index that another process has replaced is not renamed again`() async throws {
        _ = try await makeIndex()
        let reported = Guarded<[String]>([])
        let (first, second) = (try ContainerIndex(path: path), try ContainerIndex(path: path))
        try damageMiddle()
        let error = DatabaseError(resultCode: .SQLITE_CORRUPT)
        let next = try first.replaced(because: error) { words in reported.withLock { $0.append(words) } }
        try next.insert([MessageRecord(id: try Self.id(), providerID: "p", profile: "ios", attachments: [])])
        let other = try second.replaced(because: error) { words in reported.withLock { $0.append(words) } }
        let count = try await other.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM message") }
        #expect(count == 1)
        #expect(reported.withLock { $0.count } == 1)
    }
}
