import Base
package import FoundationEssentials
import GRDB
package import NotificationModel
import SQLiteFiles

/// The queries for pins: renditions that an operator keeps ready until a date. Their key is the URL of the media item
/// and the recipe.
extension ContainerIndex {
    /// The error of a pin that would exceed the quota.
    struct NoSpace: Error {}
    /// The error of a pin whose file was removed.
    struct FileGone: Error {}

    /// Returns the pinned renditions of a key; `nil` if the key has no pin or one of its files was removed.
    package func pinned(_ key: PinKey, at now: Date) throws -> (media: StoredRenditions, until: Date)? {
        try database.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT asset.*, kind, sourceType, sourceBytes, count, damage, source, keepUntil
                    FROM pin JOIN asset USING (sha256) WHERE url = ? AND recipe = ? AND keepUntil > ? ORDER BY position
                    """)
            let rows = try Row.fetchAll(
                statement, arguments: [key.url, key.recipe.key, now.timeIntervalSince1970])
            guard let first = rows.first, let media = try StoredRenditions(rows) else { return nil }
            return (media, Date(timeIntervalSince1970: try first.sound("keepUntil")))
        }
    }

    /// Pins renditions, and replaces the renditions that were pinned under the key before. The date of a pin is never
    /// moved back.
    ///
    /// - Parameter availableBytes: The number of bytes that may be pinned in addition to the existing pins.
    /// - Returns: The number of bytes that were not pinned before.
    /// - Throws: `NoSpace` if these bytes are more than `availableBytes`, and `FileGone` if a file has no row.
    func pin(
        _ media: StoredRenditions, as key: PinKey, until date: Date, availableBytes: Int, at now: Date
    ) throws -> Int {
        try database.write { database in
            for asset in media.assets {
                let statement = try database.cachedStatement(
                    sql: "SELECT EXISTS (SELECT 1 FROM asset WHERE sha256 = ?)")
                guard try Bool.fetchOne(statement, arguments: [asset.sha256]) == true else { throw FileGone() }
            }
            var added = 0
            for asset in media.assets where try !Self.isPinned(asset.sha256, at: now, in: database) {
                added += asset.info.byteCount
            }
            guard added <= availableBytes else { throw NoSpace() }
            let before = try Double.fetchOne(
                database, sql: "SELECT max(keepUntil) FROM pin WHERE url = ? AND recipe = ?",
                arguments: [key.url, key.recipe.key])
            let end = max(date.timeIntervalSince1970.rounded(.up), before ?? 0)
            try database.execute(
                sql: "DELETE FROM pin WHERE url = ? AND recipe = ?", arguments: [key.url, key.recipe.key])
            let statement = try database.cachedStatement(
                sql: """
                    INSERT INTO pin
                        (url, recipe, position, count, kind, sha256, sourceType, sourceBytes, damage, source,
                        keepUntil)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """)
            for (position, asset) in media.assets.enumerated() {
                try statement.execute(arguments: [
                    key.url, key.recipe.key, position, media.assets.count, asset.info.kind.rawValue, asset.sha256,
                    media.sourceType, media.sourceByteCount, media.damage, media.source?.json.text, end,
                ])
            }
            return added
        }
    }

    private static func isPinned(_ digest: String, at now: Date, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM pin WHERE sha256 = ? AND keepUntil > ?)"),
            arguments: [digest, now.timeIntervalSince1970]) ?? false
    }

    /// Sets the date of the pins of a URL for all recipes, earlier or later. Pins that have ended are not renewed.
    ///
    /// - Returns: The keys of the recipes of these pins.
    func movePins(of url: String, to date: Date, at now: Date) throws -> Set<String> {
        try database.write { database in
            let recipes = try String.fetchSet(
                database, sql: "SELECT DISTINCT recipe FROM pin WHERE url = ? AND keepUntil > ?",
                arguments: [url, now.timeIntervalSince1970])
            try database.execute(
                sql: "UPDATE pin SET keepUntil = ? WHERE url = ? AND keepUntil > ?",
                arguments: [date.timeIntervalSince1970.rounded(.up), url, now.timeIntervalSince1970])
            return recipes
        }
    }

    /// A row of a pin, which describes one file of the renditions of a URL.
    package struct PinRow {
        package var recipe: String
        package var until: Date
        package var kind: String
        package var path: String
        package var bytes: Int
    }

    /// Returns the pins of a URL that have not ended, ordered by recipe and file.
    package func pins(of url: String, at now: Date) throws -> [PinRow] {
        try database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT recipe, keepUntil, kind, path, bytes FROM pin JOIN asset USING (sha256)
                    WHERE url = ? AND keepUntil > ? ORDER BY recipe, position
                    """, arguments: [url, now.timeIntervalSince1970]
            ).map { row in
                PinRow(
                    recipe: try row.sound("recipe"),
                    until: Date(timeIntervalSince1970: try row.sound("keepUntil")), kind: try row.sound("kind"),
                    path: try row.sound("path"), bytes: try row.sound("bytes"))
            }
        }
    }

    /// Releases the pins of a URL for all recipes.
    ///
    /// - Returns: The number of recipes that had a pin.
    func unpin(_ url: String) throws -> Int {
        try database.write { database in
            let recipes = try Int.fetchOne(
                database, sql: "SELECT count(DISTINCT recipe) FROM pin WHERE url = ?", arguments: [url])
            try database.execute(sql: "DELETE FROM pin WHERE url = ?", arguments: [url])
            return recipes ?? 0
        }
    }

    /// Returns the keys of all pins. Ended pins that are not deleted yet are included: a clock that is set back makes
    /// them valid again.
    ///
    /// - Returns: `nil` if there are more than `most` keys.
    func pinnedKeys(atMost most: Int) throws -> [(url: String, recipe: String)]? {
        try database.read { database in
            let keys = try Row.fetchAll(
                database, sql: "SELECT DISTINCT url, recipe FROM pin LIMIT ?", arguments: [most + 1])
            return keys.count > most ? nil : try keys.map { (try $0.sound("url"), try $0.sound("recipe")) }
        }
    }

    /// Returns a number that changes when another connection, also of another process, has written to the database
    /// (SQLite, "PRAGMA data_version").
    func dataVersion() throws -> Int {
        try database.read { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
    }
}
