import GRDB

/// The parts of the schema that are only for readers in other processes: the content of messages, and their changes.
extension ContainerIndex {
    /// The number of changes that the index keeps.
    static let keptChanges = 100_000

    /// Adds the content that an app displays, and the times at which a device reports the message. Older messages,
    /// silent pushes, and messages that no device has reported contain NULL.
    ///
    /// A message has a kind as a file has one, so its kind has another name in `messageFile`. The view does not have
    /// `emittedAt`, so that a reader that joins it with `message` need not name the table of this column.
    static func addMessageContent(_ database: Database) throws {
        try database.alter(table: "message") { table in
            for text in ["kind", "outcome", "reason", "thread"] { table.add(column: text, .text) }
            table.add(column: "expiresAt", .integer)
            for text in ["title", "subtitle", "body", "fallback", "expired", "actions", "keys", "details"] {
                table.add(column: text, .text)
            }
            for time in ["deliveredAt", "readAt"] { table.add(column: time, .integer) }
        }
        try database.drop(view: "messageFile")
        try database.execute(
            sql: """
                CREATE VIEW messageFile AS
                SELECT message.id AS messageId, message.providerId, messageAsset.position, messageAsset.kind,
                    messageAsset.identifier, messageAsset.url, messageAsset.profile, messageAsset.role, asset.*,
                    message.kind AS messageKind, message.outcome, message.reason, message.thread,
                    message.expiresAt, message.title, message.subtitle, message.body, message.fallback,
                    message.expired, message.actions, message.keys, message.details, message.deliveredAt,
                    message.readAt
                FROM message JOIN messageAsset ON messageAsset.messageId = message.id JOIN asset USING (sha256)
                """)
    }

    /// Adds the changes of messages, which triggers write, so that a reader continues from the last change that it
    /// knows. The row of `changeRange` tells a reader whether the changes since then are all there.
    ///
    /// The first sequence number is the time of the migration in microseconds since 1970. An index that replaces a
    /// damaged one therefore has higher numbers, and a reader of the damaged one finds that its number is too old.
    static func addChanges(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE changes (
                    sequence INTEGER PRIMARY KEY AUTOINCREMENT, messageId TEXT NOT NULL, change TEXT NOT NULL,
                    at INTEGER NOT NULL);
                INSERT INTO sqlite_sequence (name, seq) VALUES
                    ('changes', CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) * 1000);
                CREATE VIEW changeRange AS
                SELECT coalesce((SELECT min(sequence) FROM changes) - 1, seq) AS completeAfter, seq AS last
                FROM sqlite_sequence WHERE name = 'changes';
                """)
        try makeChangeTriggers(database)
    }

    /// Makes the triggers. A message that replaces an earlier one is `changed`. A file that is removed together with its
    /// message is no change of its own, because the row of the message is gone at that time.
    private static func makeChangeTriggers(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TRIGGER messageAdded BEFORE INSERT ON message BEGIN
                    INSERT INTO changes (messageId, change, at) VALUES (NEW.id,
                        iif(EXISTS (SELECT 1 FROM message WHERE id = NEW.id), 'changed', 'added'), unixepoch());
                END;
                CREATE TRIGGER messageChanged AFTER UPDATE ON message BEGIN
                    INSERT INTO changes (messageId, change, at) VALUES (NEW.id, 'changed', unixepoch());
                END;
                CREATE TRIGGER messageRemoved AFTER DELETE ON message BEGIN
                    INSERT INTO changes (messageId, change, at) VALUES (OLD.id, 'removed', unixepoch());
                END;
                CREATE TRIGGER messageFileRemoved AFTER DELETE ON messageAsset
                WHEN EXISTS (SELECT 1 FROM message WHERE id = OLD.messageId) BEGIN
                    INSERT INTO changes (messageId, change, at) VALUES (OLD.messageId, 'changed', unixepoch());
                END;
                CREATE TRIGGER changesBounded AFTER INSERT ON changes WHEN NEW.sequence % 1000 = 0 BEGIN
                    DELETE FROM changes WHERE sequence <= NEW.sequence - \(keptChanges);
                END;
                """)
    }
}
