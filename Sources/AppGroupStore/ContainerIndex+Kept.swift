import GRDB
import NotificationModel

/// Files that an earlier push of the same message brought, or that were made of the same medium before.
extension ContainerIndex {
    /// Of several messages with the provider's id the last one's; `nil` where a file of it has been removed since.
    func kept(_ key: PrefetchKey) throws -> StoredRenditions? {
        try database.read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT asset.*, kind, sourceType, sourceBytes, count, damage, source, message.id AS messageId
                    FROM message JOIN messageAsset ON messageAsset.messageId = message.id JOIN asset USING (sha256)
                    WHERE message.providerId = ? AND url = ? AND recipe = ?
                        AND (? IS NULL OR message.prefetchedFor IN ('', ?))
                    ORDER BY message.emittedAt DESC, message.rowid DESC, position
                    """,
                arguments: [
                    key.providerID, key.url, key.recipe.key, key.receiver?.column, key.receiver?.column,
                ])
            guard let first = rows.first else { return nil }
            // The kinds of one message's medium, each once.
            var kinds: Set<String> = []
            let message: DatabaseValue = first["messageId"]
            let own = try rows.filter { row in
                try row["messageId"] == message && kinds.insert(row.sound("kind")).inserted
            }
            return try StoredRenditions(own)
        }
    }

    /// What was made of a medium; `nil` where a file of it has been removed since.
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

    /// In place of what was remembered before.
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

extension PrefetchReceiver {
    /// The value of `message.prefetchedFor`. The index does not hold the names of receivers.
    var column: String {
        switch self {
        case .everyone: ""
        case .recipient(let name): FileDigest.of(Array(name.utf8))
        }
    }
}

extension StoredRenditions {
    /// - Returns: `nil` when there are no rows, or fewer than there were files.
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
    /// - Returns: `nil` for a kind or a type of a later program's.
    fileprivate init?(_ row: Row) throws {
        let mimeType: String = try row.sound("mimeType")
        guard let kind = RenditionKind(rawValue: try row.sound("kind")),
            let type = RenditionType.allCases.first(where: { $0.mimeType == mimeType })
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
