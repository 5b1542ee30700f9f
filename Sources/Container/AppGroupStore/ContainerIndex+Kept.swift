import Base
import GRDB
import NotificationModel
import SQLiteFiles

/// The queries for files of an earlier push of the same message, and for files that were made from the same media item.
extension ContainerIndex {
    /// Returns the files of the last message with the provider's id; `nil` if there is no such message or a file was
    /// removed.
    func kept(_ key: PrefetchKey) throws -> StoredRenditions? {
        try database.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT asset.*, messageAsset.kind, sourceType, sourceBytes, count, damage, source,
                        message.id AS messageId
                    FROM message JOIN messageAsset ON messageAsset.messageId = message.id JOIN asset USING (sha256)
                    WHERE message.providerId = ? AND url = ? AND recipe = ?
                        AND (? IS NULL OR message.prefetchedFor IN ('', ?))
                    ORDER BY message.emittedAt DESC, message.rowid DESC, position
                    """)
            let rows = try Row.fetchAll(
                statement,
                arguments: [
                    key.providerID, key.url, key.recipe.key, key.recipient?.column, key.recipient?.column,
                ])
            guard let first = rows.first else { return nil }
            // Only the rows of this message are used, one for each kind of file.
            var kinds: Set<String> = []
            let message: DatabaseValue = first["messageId"]
            let own = try rows.filter { row in
                try row["messageId"] == message && kinds.insert(row.sound("kind")).inserted
            }
            return try StoredRenditions(own)
        }
    }

    /// Returns the renditions that were made from a media item; `nil` if there are no renditions, or if one of their
    /// files was removed.
    func renditions(_ key: RenditionKey) throws -> StoredRenditions? {
        try database.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT asset.*, kind, sourceType, sourceBytes, count, damage, source
                    FROM rendition JOIN asset USING (sha256) WHERE identity = ? AND recipe = ? ORDER BY position
                    """)
            let rows = try Row.fetchAll(statement, arguments: [key.identity, key.recipe.key])
            return try StoredRenditions(rows)
        }
    }

    /// Stores the renditions of a key, and replaces the renditions that were stored under it before.
    func remember(_ media: StoredRenditions, as key: RenditionKey) throws {
        try database.write { database in
            try database.cachedStatement(sql: "DELETE FROM rendition WHERE identity = ? AND recipe = ?")
                .execute(arguments: [key.identity, key.recipe.key])
            let statement = try database.cachedStatement(
                sql: """
                    INSERT INTO rendition
                        (identity, recipe, position, count, kind, sha256, sourceType, sourceBytes, damage, source,
                        madeAt)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, unixepoch())
                    """)
            for (position, asset) in media.assets.enumerated() {
                try statement.execute(arguments: [
                    key.identity, key.recipe.key, position, media.assets.count, asset.info.kind.rawValue, asset.sha256,
                    media.sourceType, media.sourceByteCount, media.damage, media.source?.json.text,
                ])
            }
        }
    }
}

extension PrefetchRecipient {
    /// The value of `message.prefetchedFor`. The index contains a digest in place of the recipient's name.
    var column: String {
        switch self {
        case .everyone: ""
        case .recipient(let name): FileDigest.of(Array(name.utf8))
        }
    }
}

extension StoredRenditions {
    /// Creates renditions from the rows of their files.
    ///
    /// - Returns: `nil` if there are no rows, or fewer rows than the renditions had files.
    init?(_ rows: [Row]) throws {
        guard let first = rows.first else { return nil }
        let assets = try rows.compactMap(StoredAsset.init)
        guard assets.count == (try first.sound("count")) else { return nil }
        self.init(
            assets: assets, sourceType: try first.sound("sourceType"), sourceByteCount: try first.sound("sourceBytes"),
            damage: first.value(of: "damage"), source: SourceFacts(first.json("source")))
    }
}

extension StoredAsset {
    /// Creates an asset from its row.
    ///
    /// - Returns: `nil` if the row has a kind or a type of a later version of the program.
    fileprivate init?(_ row: Row) throws {
        let mimeType: String = try row.sound("mimeType")
        guard let kind = RenditionKind(rawValue: try row.sound("kind")),
            let type = MediaFormat.rendition(mimeType: mimeType)
        else { return nil }
        let duration: Int? = row.value(of: "durationMs")
        let blurhash: String? = row.value(of: "blurhash")
        let info = RenditionInfo(
            kind: kind, type: type, byteCount: try row.byteCount("bytes"), width: try row.sound("width"),
            height: try row.sound("height"), frames: try row.sound("frames"),
            keptFrames: row.value(of: "keptFrames"), sourceFrames: row.value(of: "sourceFrames"),
            duration: duration.map { .milliseconds($0) },
            streams: StreamFacts(row.json("streams")),
            preview: try blurhash.flatMap {
                ImagePreview(blurhash: $0, dominantColor: try row.sound("dominantColor"))
            })
        self.init(info: info, sha256: try row.sound("sha256"), path: try row.mediaPath())
    }
}
