import Foundation
import GRDB
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore

/// Tests that the index of each earlier version keeps its rows when this version opens it.
@Suite(.timeLimit(.minutes(1))) struct IndexVersionTests {
    /// The versions of the schema before the current one.
    static let earlier = ContainerIndex.migrator.migrations.dropLast().compactMap { Int($0) }

    /// Creates an index of a version, with a file, a message that shows the file, and all rows that the version has for
    /// them.
    private static func makeIndex(_ path: String, version: Int) throws {
        let index = try DatabaseQueue(path: path)
        try ContainerIndex.migrator.migrate(index, upTo: "\(version)")
        try index.write { database in
            for (first, sql) in rows where version >= first { try database.execute(sql: sql) }
        }
        try index.close()
    }

    /// The rows of an index, each with the first version that has it.
    private static let rows: [(version: Int, sql: String)] = [
        (
            1,
            """
            INSERT INTO asset (sha256, path, mimeType, bytes, width, height, frames, storedAt, usedAt)
                VALUES ('aa', 'media/aa/aa.jpg', 'image/jpeg', 5, 4, 3, 2, 11, 12);
            INSERT INTO message (id, providerId, emittedAt) VALUES ('old', 'provider', 13)
            """
        ),
        (
            2,
            """
            INSERT INTO messageAsset
                (messageId, position, kind, sha256, identifier, url, profile, sourceType, sourceBytes)
                VALUES ('old', 0, 'thumbnail', 'aa', 'media-1', 'https://a.example/a', 'ios', 'image/png', 9);
            UPDATE asset SET heldUntil = 14
            """
        ),
        (3, "UPDATE asset SET blurhash = '00TSUA', dominantColor = '#112233'"),
        (
            5,
            """
            INSERT INTO rendition
                (identity, recipe, position, count, kind, sha256, sourceType, sourceBytes, madeAt)
                VALUES ('response', 'r', 0, 1, 'attachment', 'aa', 'image/png', 9, 15);
            UPDATE messageAsset SET recipe = 'r'
            """
        ),
        (6, "UPDATE messageAsset SET count = 1"), (7, "UPDATE messageAsset SET role = 'mask'"),
        (
            8,
            """
            INSERT INTO pin (url, recipe, position, count, kind, sha256, sourceType, sourceBytes, keepUntil)
                VALUES ('https://a.example/a', 'r', 0, 1, 'attachment', 'aa', 'image/png', 9, 16)
            """
        ),
        (9, "UPDATE messageAsset SET damage = 'damaged: the first frame'"), (10, "UPDATE asset SET sourceFrames = 8"),
        (11, "UPDATE asset SET streams = '{}'"), (13, "UPDATE message SET prefetchedFor = ''"),
        (14, "UPDATE asset SET keptFrames = 2"),
        (15, "UPDATE message SET kind = 'image', outcome = 'rich', title = 'T', expiresAt = 17"),
    ]

    private static func withIndex(
        of version: Int, _ body: (StoreFixture) async throws -> Void
    ) async throws {
        try await StoreFixture.with { fixture in
            try FileManager.default.createDirectory(
                atPath: fixture.groupDirectory, withIntermediateDirectories: true)
            let path = fixture.groupDirectory + "/index.sqlite"
            try makeIndex(path, version: version)
            try ContainerIndex(path: path).database.close()
            try await body(fixture)
        }
    }

    @Test(arguments: earlier) func `a migration keeps the messages and files of an earlier version`(
        version: Int
    ) async throws {
        try await Self.withIndex(of: version) { fixture in
            #expect(try await fixture.rows("PRAGMA quick_check") == ["ok"])
            #expect(try await fixture.rows("SELECT \"table\" FROM pragma_foreign_key_check") == [])
            #expect(try await fixture.rows("SELECT id || providerId || emittedAt FROM message") == ["oldprovider13"])
            #expect(
                try await fixture.rows("SELECT sha256 || bytes || width || height || frames || usedAt FROM asset")
                    == ["aa543212"])
            // The first version had no kind of a file, so it has no row in the view.
            let shown = try await fixture.rows("SELECT messageId || kind || url || path FROM messageFile")
            #expect(shown == (version == 1 ? [] : ["oldthumbnailhttps://a.example/amedia/aa/aa.jpg"]))
            let roles = try await fixture.rows("SELECT role FROM messageFile")
            #expect(roles == (version == 1 ? [] : [version < 7 ? "attachment" : "mask"]))
            for (table, first) in [("rendition", 5), ("pin", 8)] {
                #expect(try await fixture.rows("SELECT sha256 FROM \(table)") == (version < first ? [] : ["aa"]))
            }
            let kept = try await fixture.rows("SELECT keptFrames FROM asset")
            #expect(kept == (version < 10 ? [] : ["2"]))
        }
    }

    @Test(arguments: earlier) func `a message of an earlier version has no content, and is the start of the changes`(
        version: Int
    ) async throws {
        try await Self.withIndex(of: version) { fixture in
            let columns = "kind, outcome, reason, thread, expiresAt, title, subtitle, body, fallback, actions, keys"
            let content = try await fixture.rows("SELECT coalesce(\(columns), 'none') FROM message")
            #expect(content == (version < 15 ? ["none"] : ["image"]))
            #expect(try await fixture.rows("SELECT coalesce(deliveredAt, readAt, 'none') FROM message") == ["none"])
            #expect(try await fixture.rows("SELECT count(*) FROM changes") == ["0"])
            #expect(try await fixture.rows("SELECT last - completeAfter FROM changeRange") == ["0"])
            let asset = try await fixture.keep("new", until: .now)
            let id = try #require(RequestID("new"))
            try await fixture.store.record(StoreFixture.message(id, [asset]), in: StoreFixture.group)
            #expect(try await fixture.rows("SELECT change || messageId FROM changes") == ["addednew"])
        }
    }
}
