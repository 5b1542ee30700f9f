import Base
import Foundation
import GRDB
import NotificationModel
import RequestJournal
import SQLiteFiles

/// The rows of erasures in the journal's database, and the search for the notifications that they concern.
struct ErasureRows {
    /// The maximum number of notifications of one step.
    static let maxOfStep = 200

    let database: Database

    init(_ database: Database) { self.database = database }

    @Sendable static func createTables(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE erasure (
                    id TEXT PRIMARY KEY,
                    appGroup TEXT NOT NULL,
                    kind TEXT NOT NULL,
                    name TEXT NOT NULL,
                    suppresses BOOLEAN NOT NULL,
                    state TEXT NOT NULL,
                    counts TEXT NOT NULL,
                    requestedAt DOUBLE NOT NULL,
                    endedAt DOUBLE) WITHOUT ROWID;
                CREATE INDEX openErasure ON erasure (requestedAt) WHERE endedAt IS NULL;
                """)
    }

    /// Adds the columns of version 11.
    @Sendable static func changeTables(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE erasure ADD COLUMN includesMentions BOOLEAN NOT NULL DEFAULT 0;
                ALTER TABLE erasure ADD COLUMN hasShortNames BOOLEAN NOT NULL DEFAULT 0;
                ALTER TABLE erasure ADD COLUMN receiverNames TEXT NOT NULL DEFAULT '[]';
                """)
    }

    func store(_ erasure: Erasure) throws {
        let counts = ErasureCounts.members.map { "\(erasure.counts[keyPath: $0.path])" }.joined(separator: " ")
        try database.execute(
            sql: "INSERT OR REPLACE INTO erasure VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                erasure.id, erasure.target.group.description, erasure.target.kind.rawValue, erasure.target.name,
                erasure.suppresses,
                erasure.state.rawValue, counts, erasure.requestedAt.timeIntervalSince1970,
                erasure.endedAt?.timeIntervalSince1970, erasure.includesMentions, erasure.hasShortNames,
                JSONWriter.text(of: .array(erasure.recipientNames.map { .string($0) })),
            ])
    }

    func erasure(_ id: String) throws -> Erasure? {
        try Row.fetchOne(database, sql: "SELECT * FROM erasure WHERE id = ?", arguments: [id]).flatMap(Erasure.init)
    }

    func open() throws -> [Erasure] {
        try Row.fetchAll(database, sql: "SELECT * FROM erasure WHERE endedAt IS NULL ORDER BY requestedAt")
            .compactMap(Erasure.init)
    }

    // MARK: Notifications

    /// - Parameter names: The names of the recipient, if a recipient is erased.
    func nextStep(of target: ErasureTarget, names: [String]) throws -> ErasureStep {
        var step = ErasureStep(target)
        if target.kind == .recipient { step.recipientNames = names }
        for key in keys(of: step) where step.listed.count < Self.maxOfStep {
            let found = try listed(under: key, atMost: Self.maxOfStep - step.listed.count)
            step.listed += found.filter { Self.concerns($0, step) }
        }
        step.keys = Set(step.listed.map(\.key)).union(try unlistedKeys(of: target))
        return step
    }

    /// Returns the rows of the lists of some requests.
    func listed(_ keys: Set<RequestKey>) throws -> [ListedNotification] {
        try keys.flatMap { key in
            try listed(under: ListKey(.id, key.id.description, in: key.group), atMost: .max).filter { $0.key == key }
        }
    }

    /// Returns the rows of the lists under a key, the oldest first.
    private func listed(under key: ListKey, atMost most: Int) throws -> [ListedNotification] {
        try Int.fetchAll(
            database, sql: "SELECT place FROM listedName WHERE key = ? ORDER BY place LIMIT ?",
            arguments: [key.number, most]
        ).compactMap { try ListRows(database).notification(at: $0) }
    }

    private func keys(of step: ErasureStep) -> [ListKey] {
        let target = step.target
        return switch target.kind {
        case .id: [ListKey(.id, target.name, in: target.group)]
        case .providerID: [ListKey(.providerID, target.name, in: target.group)]
        case .thread: [ListKey(.thread, target.name, in: target.group)]
        case .recipient: step.recipientNames.map { ListKey(.recipient, $0, in: target.group) }
        case .group: [ListKey(.group, "", in: target.group)]
        }
    }

    /// Returns whether a notification has the target's name, and not only the digits of its digest.
    private static func concerns(_ listed: ListedNotification, _ step: ErasureStep) -> Bool {
        let name = ListKey.short(step.target.name)
        guard listed.key.group == step.target.group else { return false }
        return switch step.target.kind {
        case .id: listed.key.id.description == name
        case .providerID: listed.names.providerID == name
        case .thread: listed.names.thread == name
        case .recipient: listed.names.recipient.map(Set(step.recipientNames.map(ListKey.short)).contains) ?? false
        case .group: true
        }
    }

    /// Returns requests with a result that are not in the lists.
    private func unlistedKeys(of target: ErasureTarget) throws -> [RequestKey] {
        let rows: [Row]
        switch target.kind {
        case .id:
            rows = try Row.fetchAll(
                database,
                sql: "SELECT appGroup, id FROM request WHERE appGroup = ? AND id = ? AND emittedAt IS NOT NULL",
                arguments: [target.group.description, target.name])
        case .group:
            rows = try Row.fetchAll(
                database,
                sql: "SELECT appGroup, id FROM request WHERE appGroup = ? AND emittedAt IS NOT NULL LIMIT ?",
                arguments: [target.group.description, Self.maxOfStep])
        case .providerID, .thread, .recipient: rows = []
        }
        return rows.compactMap(RequestKey.init)
    }
}

extension Erasure {
    fileprivate init?(_ row: Row) {
        guard let id: String = row.value(of: "id"),
            let group = (row.value(of: "appGroup") as String?).flatMap(AppGroupName.init),
            let kind = (row.value(of: "kind") as String?).flatMap(ErasureTarget.Kind.init),
            let state = (row.value(of: "state") as String?).flatMap(State.init)
        else { return nil }
        self.init(
            id: id, target: ErasureTarget(group: group, kind: kind, name: row.value(of: "name") ?? ""),
            requestedAt: Date(timeIntervalSince1970: row.value(of: "requestedAt") ?? 0))
        self.state = state
        suppresses = row.value(of: "suppresses") ?? false
        includesMentions = row.value(of: "includesMentions") ?? false
        hasShortNames = row.value(of: "hasShortNames") ?? false
        let names = (row.value(of: "receiverNames") as String?).flatMap { try? JSONParser.value(of: Array($0.utf8)) }
        recipientNames = names?.array?.compactMap(\.string) ?? []
        endedAt = (row.value(of: "endedAt") as Double?).map { Date(timeIntervalSince1970: $0) }
        let numbers = (row.value(of: "counts") as String? ?? "").split(separator: " ").compactMap { Int($0) }
        for (member, number) in zip(ErasureCounts.members, numbers) { counts[keyPath: member.path] = number }
    }
}
