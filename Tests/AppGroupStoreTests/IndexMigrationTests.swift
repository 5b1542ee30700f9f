import Foundation
import GRDB
import Testing

@testable import AppGroupStore

/// Tests that concurrent processes can migrate an older index.
@Suite(.timeLimit(.minutes(1)))
struct IndexMigrationTests {
    /// Creates an index with a message, in the version before renditions were remembered.
    private static func makeIndex(_ path: String) throws {
        let index = try DatabaseQueue(path: path)
        try ContainerIndex.migrator.migrate(index, upTo: "4")
        try index.write { database in
            try database.execute(
                sql: """
                    INSERT INTO asset (sha256, path, mimeType, bytes, width, height, frames, storedAt, usedAt)
                        VALUES ('aa', 'media/aa/aa.jpg', 'image/jpeg', 1, 1, 1, 1, 1, 1);
                    INSERT INTO message VALUES ('old', 'provider', 1);
                    INSERT INTO messageAsset VALUES
                        ('old', 0, 'attachment', 'aa', 'media-1', 'https://a.example/a', 'ios', 'image/png', 2, 'hidden');
                    """)
        }
        try index.close()
    }

    @Test func `concurrent migrations of an older index keep its messages`() async throws {
        for _ in 0..<20 {
            try await StoreFixture.with { fixture in
                try FileManager.default.createDirectory(
                    atPath: fixture.groupDirectory, withIntermediateDirectories: true)
                let path = fixture.groupDirectory + "/index.sqlite"
                try Self.makeIndex(path)
                try await Self.openAtOnce(path)
                #expect(try await fixture.rows("SELECT messageId || path FROM messageFile") == ["oldmedia/aa/aa.jpg"])
                #expect(try await fixture.rows("SELECT recipe FROM messageAsset") == [""])
                #expect(try await fixture.rows("SELECT role FROM messageFile") == ["attachment"])
            }
        }
    }

    @Test func `an index that several callers create at once is usable for each caller`() async throws {
        for _ in 0..<20 {
            try await StoreFixture.with { fixture in
                try FileManager.default.createDirectory(
                    atPath: fixture.groupDirectory, withIntermediateDirectories: true)
                try await Self.openAtOnce(fixture.groupDirectory + "/index.sqlite")
                #expect(try await fixture.rows("SELECT count(*) FROM rendition") == ["0"])
            }
        }
    }

    private static func openAtOnce(_ path: String) async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 { group.addTask { _ = try ContainerIndex(path: path) } }
            try await group.waitForAll()
        }
    }
}
