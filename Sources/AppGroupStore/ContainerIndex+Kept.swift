import GRDB
import NotificationModel

/// Files that an earlier push of the same message brought, or that were made of the same medium before.
extension ContainerIndex {
    /// Of several messages with the provider's id the last one's; `nil` where a file of it has been removed since.
    func kept(_ key: KeptMediaKey) throws -> KeptMedia? {
        try database.read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT asset.*, kind, sourceType, sourceBytes, count, message.id AS messageId
                    FROM message JOIN messageAsset ON messageAsset.messageId = message.id JOIN asset USING (sha256)
                    WHERE message.providerId = ? AND url = ? AND recipe = ?
                    ORDER BY message.emittedAt DESC, message.rowid DESC, position
                    """, arguments: [key.providerID, key.url, key.recipe.key])
            guard let first = rows.first else { return nil }
            // The kinds of one message's medium, each once.
            var kinds: Set<String> = []
            let own = rows.filter {
                $0["messageId"] as String == first["messageId"] && kinds.insert($0["kind"]).inserted
            }
            let assets = own.compactMap(StoredAsset.init)
            guard assets.count == first["count"] else { return nil }
            return KeptMedia(assets: assets, sourceType: first["sourceType"], sourceByteCount: first["sourceBytes"])
        }
    }

    /// What was made of a medium; `nil` where a file of it has been removed since.
    func renditions(_ key: RenditionKey) throws -> KeptMedia? {
        try database.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT asset.*, kind, sourceType, sourceBytes, count
                    FROM rendition JOIN asset USING (sha256) WHERE identity = ? AND recipe = ? ORDER BY position
                    """)
            let rows = try Row.fetchAll(statement, arguments: [key.identity, key.recipe.key])
            guard let first = rows.first else { return nil }
            let assets = rows.compactMap(StoredAsset.init)
            guard assets.count == first["count"] else { return nil }
            return KeptMedia(assets: assets, sourceType: first["sourceType"], sourceByteCount: first["sourceBytes"])
        }
    }

    /// In place of what was remembered before.
    func remember(_ media: KeptMedia, as key: RenditionKey) throws {
        try database.write { database in
            try database.cachedStatement(sql: "DELETE FROM rendition WHERE identity = ? AND recipe = ?")
                .execute(arguments: [key.identity, key.recipe.key])
            let statement = try database.cachedStatement(
                sql: """
                    INSERT INTO rendition
                        (identity, recipe, position, count, kind, sha256, sourceType, sourceBytes, madeAt)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, unixepoch())
                    """)
            for (position, asset) in media.assets.enumerated() {
                try statement.execute(arguments: [
                    key.identity, key.recipe.key, position, media.assets.count, asset.info.kind.rawValue, asset.sha256,
                    media.sourceType, media.sourceByteCount,
                ])
            }
        }
    }
}

extension StoredAsset {
    /// - Returns: `nil` where the row is of a later program's.
    fileprivate init?(_ row: Row) {
        guard let kind = RenditionKind(rawValue: row["kind"]),
            let type = RenditionType.allCases.first(where: { $0.mimeType == row["mimeType"] as String })
        else { return nil }
        let info = RenditionInfo(
            kind: kind, type: type, byteCount: row["bytes"], width: row["width"], height: row["height"],
            frames: row["frames"], duration: (row["durationMs"] as Int?).map { .milliseconds($0) },
            preview: (row["blurhash"] as String?).flatMap {
                PicturePreview(blurhash: $0, dominantColor: row["dominantColor"])
            })
        self.init(info: info, sha256: row["sha256"], path: row["path"])
    }
}
