import Foundation
import GRDB
import NotificationModel
import RequestJournal
import SQLiteFiles

/// The rows of named messages in the journal's database, within one transaction or one read.
///
/// Each message has a row in `namedMessage`, and a row in `namedMessageContent` for each of its profiles. The results of
/// requests are evicted by age and by size, so a message has its own copy of each result. Large values are files, as in
/// the table of requests.
struct MessageRows {
    /// The maximum number of stored messages.
    static let maxMessages = 10_000
    /// The size of a result, in multiples of the envelope, that is reserved until the result is known. A result repeats
    /// the payload, once for the app and once to forward it.
    static let reserve = 2

    let database: Database

    init(_ database: Database) { self.database = database }

    @Sendable static func createTables(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE namedMessage (
                    version INTEGER PRIMARY KEY AUTOINCREMENT,
                    appGroup TEXT NOT NULL,
                    name TEXT NOT NULL,
                    envelope BLOB,
                    envelopeFile TEXT,
                    envelopeBytes INTEGER NOT NULL,
                    bytes INTEGER NOT NULL,
                    updatedAt DOUBLE NOT NULL,
                    expiresAt DOUBLE NOT NULL,
                    UNIQUE (appGroup, name));
                CREATE INDEX namedMessageByEnd ON namedMessage (expiresAt, bytes);
                CREATE TABLE namedMessageContent (
                    version INTEGER NOT NULL,
                    position INTEGER NOT NULL,
                    profile TEXT NOT NULL,
                    outcome TEXT,
                    reason TEXT,
                    problem TEXT,
                    content BLOB,
                    contentFile TEXT,
                    PRIMARY KEY (version, position));
                CREATE INDEX unpreparedMessage ON namedMessageContent (version)
                    WHERE outcome IS NULL AND problem IS NULL;
                """)
    }

    // MARK: Reading

    private static let columns = "version, appGroup, name, envelopeBytes, updatedAt, expiresAt"

    /// Returns a message that ends after a date; `nil` if no such message exists.
    func find(_ key: MessageKey, at date: Date) throws -> NamedMessage? {
        let statement = try database.cachedStatement(
            sql: "SELECT \(Self.columns) FROM namedMessage WHERE appGroup = ? AND name = ? AND expiresAt > ?")
        return try Row.fetchOne(
            statement, arguments: [key.group.description, key.name.description, date.timeIntervalSince1970]
        ).flatMap(message)
    }

    /// Returns the versions of all messages of a group.
    func versions(in group: AppGroupName) throws -> [Int] {
        try Int.fetchAll(
            database, sql: "SELECT version FROM namedMessage WHERE appGroup = ?", arguments: [group.description])
    }

    /// Returns the messages of a group that end after a date.
    func messages(in group: AppGroupName, at date: Date) throws -> [NamedMessage] {
        try Row.fetchAll(
            database,
            sql: "SELECT \(Self.columns) FROM namedMessage WHERE appGroup = ? AND expiresAt > ? ORDER BY name",
            arguments: [group.description, date.timeIntervalSince1970]
        ).compactMap(message)
    }

    /// Returns the messages whose preparation has not ended, and that end after a date.
    func unprepared(at date: Date) throws -> [NamedMessage] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT \(Self.columns) FROM namedMessage WHERE expiresAt > ? AND version IN (
                    SELECT version FROM namedMessageContent WHERE outcome IS NULL AND problem IS NULL)
                ORDER BY version
                """, arguments: [date.timeIntervalSince1970]
        ).compactMap(message)
    }

    private func message(_ row: Row) throws -> NamedMessage? {
        guard let version: Int = row.value(of: "version"),
            let group = (row.value(of: "appGroup") as String?).flatMap(AppGroupName.init),
            let name = (row.value(of: "name") as String?).flatMap(MessageName.init)
        else { return nil }
        let statement = try database.cachedStatement(
            sql: """
                SELECT profile, outcome, reason, problem FROM namedMessageContent WHERE version = ? ORDER BY position
                """)
        let preparations = try Row.fetchAll(statement, arguments: [version]).compactMap(Self.preparation)
        guard !preparations.isEmpty else { return nil }
        return NamedMessage(
            key: MessageKey(group: group, name: name), version: version,
            updatedAt: Date(timeIntervalSince1970: row.value(of: "updatedAt") ?? 0),
            expiresAt: Date(timeIntervalSince1970: row.value(of: "expiresAt") ?? 0),
            byteCount: row.value(of: "envelopeBytes") ?? 0, preparations: preparations)
    }

    private static func preparation(_ row: Row) -> NamedMessage.Preparation? {
        guard let profile = (row.value(of: "profile") as String?).flatMap(MediaProfile.named) else { return nil }
        if let problem: String = row.value(of: "problem") { return .init(profile: profile, state: .refused(problem)) }
        guard let outcome = (row.value(of: "outcome") as String?).flatMap(Outcome.init) else {
            return .init(profile: profile, state: .preparing)
        }
        let reason = (row.value(of: "reason") as String?).flatMap(DegradationReason.init)
        return .init(profile: profile, state: .prepared(outcome, reason))
    }

    func envelope(ofVersion version: Int) throws -> StoredValue? {
        let statement = try database.cachedStatement(
            sql: "SELECT envelope, envelopeFile FROM namedMessage WHERE version = ?")
        return try Row.fetchOne(statement, arguments: [version]).flatMap {
            StoredValue($0.value(of: "envelope"), $0.value(of: "envelopeFile"))
        }
    }

    func content(ofVersion version: Int, for profile: MediaProfile) throws -> StoredValue? {
        let statement = try database.cachedStatement(
            sql: "SELECT content, contentFile FROM namedMessageContent WHERE version = ? AND profile = ?")
        return try Row.fetchOne(statement, arguments: [version, profile.name]).flatMap {
            StoredValue($0.value(of: "content"), $0.value(of: "contentFile"))
        }
    }
}
