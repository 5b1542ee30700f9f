package import Base
package import FoundationEssentials
import GRDB
package import NotificationModel
import SQLiteFiles

extension ContainerIndex {
    /// A row of a media file, with the values that can be read.
    package struct ListedAsset: Equatable {
        package var digest: String
        package var path: String?
        package var mimeType: String?
        package var bytes: Int?
        package var usedAt: Date
        package var leaseExpiry: Date
        /// The latest date of the pins of the file; `nil` if the file has no pin, or if the query did not read pins.
        package var pinnedUntil: Date?

        /// The rendition type of `mimeType`; `nil` if it is unknown.
        package var type: MediaFormat? { mimeType.flatMap { MediaFormat.rendition(mimeType: $0) } }

        fileprivate init(_ row: Row) throws {
            digest = try row.sound("sha256")
            path = row.value(of: "path")
            mimeType = row.value(of: "mimeType")
            bytes = row.value(of: "bytes")
            usedAt = Date(timeIntervalSince1970: row.value(of: "usedAt") ?? 0)
            leaseExpiry = Date(timeIntervalSince1970: row.value(of: "heldUntil") ?? 0)
            let pinEnd: Double? = row.hasColumn("pinnedUntil") ? row.value(of: "pinnedUntil") : nil
            pinnedUntil = pinEnd.map { Date(timeIntervalSince1970: $0) }
        }

        /// Compares two readings of a row. Uses, leases and pins are ignored, because they may change.
        package static func == (one: ListedAsset, other: ListedAsset) -> Bool {
            one.digest == other.digest && one.path == other.path && one.mimeType == other.mimeType
                && one.bytes == other.bytes
        }
    }

    /// Returns the rows of the shard with these first two digits, with the dates of their pins.
    package func assets(ofShard digits: String) throws -> [ListedAsset] {
        try database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT asset.*, (SELECT max(keepUntil) FROM pin WHERE pin.sha256 = asset.sha256) AS pinnedUntil
                    FROM asset WHERE sha256 >= ? AND sha256 < ? ORDER BY sha256
                    """,
                arguments: [digits, digits + "g"]
            ).map(ListedAsset.init).filter { FileDigest.isDigest($0.digest) }
        }
    }

    /// Returns the row of a file; `nil` if there is no such row.
    package func asset(_ digest: String) throws -> ListedAsset? {
        try database.read { database in
            try Row.fetchOne(database, sql: "SELECT * FROM asset WHERE sha256 = ?", arguments: [digest])
                .map(ListedAsset.init)
        }
    }

    /// Returns the keys of rows that are not digests.
    package func misnamedAssets() throws -> [String] {
        try database.read { database in
            try String.fetchAll(
                database, sql: "SELECT sha256 FROM asset WHERE length(sha256) <> 64 OR sha256 GLOB '*[^0-9a-f]*'")
        }
    }

    /// Returns the tables and the keys of rows that refer to a missing file or message.
    package func danglingRows() throws -> [(table: String, key: String)] {
        try database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT DISTINCT 'rendition' AS name, identity AS key FROM rendition
                        WHERE sha256 NOT IN (SELECT sha256 FROM asset)
                    UNION ALL SELECT DISTINCT 'pin', url FROM pin WHERE sha256 NOT IN (SELECT sha256 FROM asset)
                    UNION ALL SELECT DISTINCT 'messageAsset', messageId FROM messageAsset
                        WHERE sha256 NOT IN (SELECT sha256 FROM asset) OR messageId NOT IN (SELECT id FROM message)
                    """
            ).map { (try $0.sound("name"), try $0.sound("key")) }
        }
    }

    /// Returns the messages that show a file.
    package func messages(showing digest: String) throws -> [(id: String, providerID: String?, url: String)] {
        try database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT DISTINCT message.id AS messageId, providerId, url
                    FROM messageAsset JOIN message ON message.id = messageId WHERE sha256 = ? ORDER BY emittedAt
                    """, arguments: [digest]
            ).map { (try $0.sound("messageId"), $0.value(of: "providerId"), try $0.sound("url")) }
        }
    }

    /// Returns the ids of the responses that a file was made from.
    package func identities(of digest: String) throws -> [String] {
        try database.read { database in
            try String.fetchAll(
                database, sql: "SELECT DISTINCT identity FROM rendition WHERE sha256 = ?", arguments: [digest])
        }
    }
}

extension ContainerIndex {
    /// Returns all renditions of a response, ordered by recipe. Renditions with missing rows are skipped.
    package func renditions(of identity: String) throws -> [(recipe: RenditionRecipe, media: StoredRenditions)] {
        try database.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT recipe, asset.*, kind, sourceType, sourceBytes, count, damage, source
                    FROM rendition JOIN asset USING (sha256) WHERE identity = ? ORDER BY recipe, position
                    """)
            let rows = try Row.fetchAll(statement, arguments: [identity])
            let recipes = try Dictionary(grouping: rows) { try $0.sound("recipe") as String }
            return try recipes.sorted { $0.key < $1.key }.compactMap { recipe, rows in
                try StoredRenditions(rows).map { (RenditionRecipe(key: recipe), $0) }
            }
        }
    }

    /// Returns the keys of all pins, ordered by URL and recipe, so that two exports have the same order.
    package func sortedPinKeys() throws -> [PinKey] {
        (try pinnedKeys(atMost: .max - 1) ?? []).map { PinKey(url: $0.url, recipe: RenditionRecipe(key: $0.recipe)) }
            .sorted { ($0.url, $0.recipe.key) < ($1.url, $1.recipe.key) }
    }
}
