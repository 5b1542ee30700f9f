import GRDB

/// The tables. Other processes read them: what is there keeps its name and meaning.
extension ContainerIndex {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1", migrate: makeTables)
        migrator.registerMigration("2", migrate: addLeases)
        migrator.registerMigration("3", migrate: addPreviews)
        migrator.registerMigration("4", migrate: addThumbnailOptions)
        migrator.registerMigration("5", migrate: addRenditions)
        migrator.registerMigration("6", migrate: addFileCounts)
        migrator.registerMigration("7", migrate: addRoles)
        migrator.registerMigration("8", migrate: addPins)
        migrator.registerMigration("9", migrate: addDamage)
        migrator.registerMigration("10", migrate: addSourceFrames)
        migrator.registerMigration("11", migrate: addStreams)
        migrator.registerMigration("12", migrate: addTimeIndexes)
        migrator.registerMigration("13", migrate: addPrefetches)
        migrator.registerMigration("14", migrate: addKeptFrames)
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

    /// Until when a file is kept whatever the quota says, and all that a message shows: thumbnails and posters too, with
    /// the references that they were made from.
    private static func addLeases(_ database: Database) throws {
        try database.alter(table: "asset") { table in
            table.add(column: "heldUntil", .integer).notNull().defaults(to: 0)
        }
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

    /// What a reader shows until it has the file. Files of before have none.
    private static func addPreviews(_ database: Database) throws {
        try database.alter(table: "asset") { table in
            table.add(column: "blurhash", .text)
            table.add(column: "dominantColor", .text)
        }
    }

    /// By which options the thumbnail was made: another push may want another part of the picture.
    private static func addThumbnailOptions(_ database: Database) throws {
        try database.alter(table: "messageAsset") { table in
            table.add(column: "thumbnail", .text).notNull().defaults(to: "")
        }
    }

    /// What was made of which medium, and how. A message's files say how they were made, instead of only how the
    /// thumbnail was; of those of before nobody knows.
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

    /// How many files a message shows of one medium: without one that has been removed they are not all. Of those of
    /// before nobody knows.
    private static func addFileCounts(_ database: Database) throws {
        try database.alter(table: "messageAsset") { table in
            table.add(column: "count", .integer).notNull().defaults(to: 0)
        }
    }

    /// The role of each media item's files, so that a reader can tell a video's mask from a picture. Files of before are
    /// attachments.
    private static func addRoles(_ database: Database) throws {
        try database.alter(table: "messageAsset") { table in
            table.add(column: "role", .text).notNull().defaults(to: "attachment")
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

    /// The renditions that an operator keeps ready until `keepUntil`, in seconds since 1970. The URL of their medium and
    /// their recipe are the key.
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

    /// The part of a damaged source that renditions show, as a sentence for people; `NULL` for an intact source.
    private static func addDamage(_ database: Database) throws {
        for table in ["messageAsset", "rendition", "pin"] {
            try database.alter(table: table) { $0.add(column: "damage", .text) }
        }
    }

    /// How many frames the source of a cut animation has, for the verdicts on it. NULL for files of before and all others.
    private static func addSourceFrames(_ database: Database) throws {
        try database.alter(table: "asset") { table in
            table.add(column: "sourceFrames", .integer)
        }
    }

    /// The number of frames of its source that a cut animation shows, which the video of an animation may repeat. Earlier
    /// versions have it in `frames`. NULL for all other files.
    private static func addKeptFrames(_ database: Database) throws {
        try database.alter(table: "asset") { $0.add(column: "keptFrames", .integer) }
        try database.execute(sql: "UPDATE asset SET keptFrames = frames WHERE sourceFrames IS NOT NULL")
    }

    /// The streams of films and sounds, and the films and sounds that renditions are made from, as JSON. NULL for files of
    /// before and all others.
    private static func addStreams(_ database: Database) throws {
        try database.alter(table: "asset") { $0.add(column: "streams", .text) }
        for table in ["messageAsset", "rendition", "pin"] {
            try database.alter(table: table) { $0.add(column: "source", .text) }
        }
    }

    /// Eviction asks every minute for the sum of bytes, and for messages and renditions before a date. Without these
    /// indexes that reads the whole tables: 0.4 s for a million files, in which the disk's thread does nothing else.
    private static func addTimeIndexes(_ database: Database) throws {
        try database.create(index: "assetByBytes", on: "asset", columns: ["bytes"])
        try database.create(index: "messageByEmission", on: "message", columns: ["emittedAt"])
        try database.create(index: "renditionByAge", on: "rendition", columns: ["madeAt"])
    }

    /// The receivers whose silent push fetched a message's files: empty for all, a digest of the name of one, and NULL for
    /// messages of before and those that are shown.
    private static func addPrefetches(_ database: Database) throws {
        try database.alter(table: "message") { $0.add(column: "prefetchedFor", .text) }
    }
}
