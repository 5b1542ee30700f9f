package import GRDB

/// The tables of the index. Other processes read the tables, so an existing column keeps its name and meaning.
extension ContainerIndex {
    package static var migrator: DatabaseMigrator {
        // The name of a migration is its place in this list, so a new migration is the last one.
        let migrations: [@Sendable (Database) throws -> Void] = [
            makeTables, addLeases, addPreviews, addThumbnailOptions, addRenditions, addFileCounts, addRoles, addPins,
            addDamage, addSourceFrames, addStreams, addTimeIndexes, addPrefetches, addKeptFrames, addMessageContent,
            addChanges,
        ]
        var migrator = DatabaseMigrator()
        for (index, migration) in migrations.enumerated() {
            migrator.registerMigration("\(index + 1)", migrate: migration)
        }
        return migrator
    }

    private static func makeTables(_ database: Database) throws {
        try database.create(table: "asset") { table in
            table.primaryKey("sha256", .text)
            table.column("path", .text).notNull()
            table.column("mimeType", .text).notNull()
            table.column("bytes", .integer).notNull()
            table.column("width", .integer).notNull()
            table.column("height", .integer).notNull()
            table.column("frames", .integer).notNull()
            table.column("durationMs", .integer)
            table.column("storedAt", .integer).notNull()
            table.column("usedAt", .integer).notNull()
        }
        try database.create(table: "message") { table in
            table.primaryKey("id", .text)
            table.column("providerId", .text).indexed()
            table.column("emittedAt", .integer).notNull()
        }
        try database.create(table: "messageAsset") { table in
            table.column("messageId", .text).notNull().references("message", onDelete: .cascade)
            table.column("position", .integer).notNull()
            table.column("sha256", .text).notNull().references("asset")
            table.primaryKey(["messageId", "position"])
        }
    }

    /// Adds the end of each file's lease, and rows for all files that a message shows. The rows include thumbnails and
    /// posters, and the references that the files were made from.
    private static func addLeases(_ database: Database) throws {
        try database.alter(table: "asset") { $0.add(column: "heldUntil", .integer).notNull().defaults(to: 0) }
        try database.create(index: "assetByUse", on: "asset", columns: ["usedAt"])
        try database.drop(table: "messageAsset")
        try database.create(table: "messageAsset") { table in
            table.column("messageId", .text).notNull().references("message", onDelete: .cascade)
            table.column("position", .integer).notNull()
            table.column("kind", .text).notNull()
            table.column("sha256", .text).notNull().references("asset", onDelete: .cascade).indexed()
            table.column("identifier", .text).notNull()
            table.column("url", .text).notNull()
            table.column("profile", .text).notNull()
            table.column("sourceType", .text).notNull()
            table.column("sourceBytes", .integer).notNull()
            table.primaryKey(["messageId", "position", "kind"])
        }
        try database.create(
            view: "messageFile",
            as: SQLRequest(
                sql: """
                    SELECT message.id AS messageId, message.providerId, messageAsset.position, messageAsset.kind,
                        messageAsset.identifier, messageAsset.url, messageAsset.profile, asset.*
                    FROM message JOIN messageAsset ON messageAsset.messageId = message.id JOIN asset USING (sha256)
                    """))
    }

    /// Adds the preview that a reader shows until it has the file. Older rows contain NULL.
    private static func addPreviews(_ database: Database) throws {
        try database.alter(table: "asset") { table in
            table.add(column: "blurhash", .text)
            table.add(column: "dominantColor", .text)
        }
    }

    /// Adds the options of a thumbnail, because another push may need another part of the image.
    private static func addThumbnailOptions(_ database: Database) throws {
        try database.alter(table: "messageAsset") { $0.add(column: "thumbnail", .text).notNull().defaults(to: "") }
    }

    /// Adds the table of renditions: the source, the recipe and the files. The rows of a message get the whole recipe
    /// in place of the thumbnail's options. The recipe of older rows is unknown and therefore empty.
    private static func addRenditions(_ database: Database) throws {
        try database.alter(table: "messageAsset") { table in
            table.drop(column: "thumbnail")
            table.add(column: "recipe", .text).notNull().defaults(to: "")
        }
        try database.create(table: "rendition", options: .withoutRowID) { table in
            table.column("identity", .text).notNull()
            table.column("recipe", .text).notNull()
            table.column("position", .integer).notNull()
            table.column("count", .integer).notNull()
            table.column("kind", .text).notNull()
            table.column("sha256", .text).notNull().references("asset", onDelete: .cascade).indexed()
            table.column("sourceType", .text).notNull()
            table.column("sourceBytes", .integer).notNull()
            table.column("madeAt", .integer).notNull()
            table.primaryKey(["identity", "recipe", "position"])
        }
    }

    /// Adds the number of files that a message shows for one media item. A reader can then tell that a file was
    /// removed. The number is unknown for older rows, which contain 0.
    private static func addFileCounts(_ database: Database) throws {
        try database.alter(table: "messageAsset") { $0.add(column: "count", .integer).notNull().defaults(to: 0) }
    }

    /// Adds the role of each media item, which tells a video's mask from an image. Older rows are attachments.
    private static func addRoles(_ database: Database) throws {
        try database.alter(table: "messageAsset") {
            $0.add(column: "role", .text).notNull().defaults(to: "attachment")
        }
        try database.drop(view: "messageFile")
        try database.create(
            view: "messageFile",
            as: SQLRequest(
                sql: """
                    SELECT message.id AS messageId, message.providerId, messageAsset.position, messageAsset.kind,
                        messageAsset.identifier, messageAsset.url, messageAsset.profile, messageAsset.role, asset.*
                    FROM message JOIN messageAsset ON messageAsset.messageId = message.id JOIN asset USING (sha256)
                    """))
    }

    /// Adds the pins: renditions that an operator keeps ready until `keepUntil`, in seconds since 1970. The key is the
    /// URL of the media item with the recipe.
    private static func addPins(_ database: Database) throws {
        try database.create(table: "pin", options: .withoutRowID) { table in
            table.column("url", .text).notNull()
            table.column("recipe", .text).notNull()
            table.column("position", .integer).notNull()
            table.column("count", .integer).notNull()
            table.column("kind", .text).notNull()
            table.column("sha256", .text).notNull().references("asset", onDelete: .cascade).indexed()
            table.column("sourceType", .text).notNull()
            table.column("sourceBytes", .integer).notNull()
            table.column("keepUntil", .integer).notNull()
            table.primaryKey(["url", "recipe", "position"])
        }
    }

    /// Adds a sentence for people about the shown part of a damaged source. NULL means an intact source.
    private static func addDamage(_ database: Database) throws {
        for table in ["messageAsset", "rendition", "pin"] {
            try database.alter(table: table) { $0.add(column: "damage", .text) }
        }
    }

    /// Adds the number of frames of a shortened animation's source, for verdicts. Other and older rows contain NULL.
    private static func addSourceFrames(_ database: Database) throws {
        try database.alter(table: "asset") { $0.add(column: "sourceFrames", .integer) }
    }

    /// Adds the number of source frames that a shortened animation shows. A video that replaces it may repeat frames
    /// and has another number in `frames`, where earlier versions wrote this number. Other files contain NULL.
    private static func addKeptFrames(_ database: Database) throws {
        try database.alter(table: "asset") { $0.add(column: "keptFrames", .integer) }
        try database.execute(sql: "UPDATE asset SET keptFrames = frames WHERE sourceFrames IS NOT NULL")
    }

    /// Adds the streams of videos and audio files as JSON, and the facts about the video or audio that renditions were
    /// made from. Other files and older rows contain NULL.
    private static func addStreams(_ database: Database) throws {
        try database.alter(table: "asset") { $0.add(column: "streams", .text) }
        for table in ["messageAsset", "rendition", "pin"] {
            try database.alter(table: table) { $0.add(column: "source", .text) }
        }
    }

    /// Adds indexes for the queries that eviction makes every minute: the sum of bytes, and messages and renditions
    /// before a date. Without these indexes, a query reads the whole table. Such a query takes 0.4 s for a million
    /// files, and blocks the thread of the disk.
    private static func addTimeIndexes(_ database: Database) throws {
        try database.create(index: "assetByBytes", on: "asset", columns: ["bytes"])
        try database.create(index: "messageByEmission", on: "message", columns: ["emittedAt"])
        try database.create(index: "renditionByAge", on: "rendition", columns: ["madeAt"])
    }

    /// Adds the recipients for whom a silent push prefetched the files of a message. An empty text means all recipients,
    /// and a digest means the recipient with that name. Older messages and messages that are shown contain NULL.
    private static func addPrefetches(_ database: Database) throws {
        try database.alter(table: "message") { $0.add(column: "prefetchedFor", .text) }
    }
}
