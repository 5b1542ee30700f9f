import Foundation
import GRDB
import NotificationModel
import RequestJournal
import SQLiteFiles

/// The pages of lists. A page searches a limited number of notifications, so that it takes a limited time.
extension ListRows {
    /// The maximum number of notifications that are searched for one page.
    static let maxSearched = 5_000

    func page(_ query: ListQuery) throws -> ListPage<ListedNotification> {
        var elements: [ListedNotification] = []
        let next = try search(query) { listed in
            elements.append(listed)
            return elements.count < query.limit
        }
        return ListPage(elements: elements, next: next)
    }

    func threads(_ query: ListQuery) throws -> ListPage<ListedThread> {
        var (threads, seen): ([ListedThread], Set<String>) = ([], [])
        let next = try search(query) { listed in
            guard let name = listed.names.thread, listed.isCounted, seen.insert(name).inserted,
                try !isOnEarlierPage(name, query)
            else { return true }
            let counts = try counts(name, query)
            threads.append(ListedThread(first: listed, count: counts.all, unread: counts.unread))
            return threads.count < query.limit
        }
        return ListPage(elements: threads, next: next)
    }

    /// The condition of a row of `listed` that has something to show.
    private static let hasContent = "ifnull(content, 1)"

    /// The condition of a row of `listed` that is shown to the user.
    private static let isShown = """
        \(hasContent) AND id NOT GLOB 'message-[0-9]*-*'
            AND outcome NOT IN (SELECT number FROM listWord WHERE word IN (\(notShown)))
        """
    private static let notShown = Outcome.allCases.filter { !$0.isShown }.map { "'\($0.rawValue)'" }
        .joined(separator: ", ")

    /// The condition of a row of `listed` that the user has read, or that was deleted.
    private static let isRead =
        "EXISTS (SELECT 1 FROM receipt WHERE receipt.place = listed.place AND event IN ('read', 'deleted'))"

    /// The message of a row of `listed`, which several devices of a recipient may have.
    private static let message = "ifnull(provider || ' ' || providerID, id)"

    /// The maximum number of notifications of a thread that are searched for its counts.
    private static let maxCounted = 1_000

    /// Counts the messages of a thread, and the unread ones among them. A message that several devices of a recipient have
    /// counts once, and is read if one of them has read it. Only the newest notifications of the thread are searched.
    private func counts(_ thread: String, _ query: ListQuery) throws -> (all: Int, unread: Int) {
        // The devices of a stored recipient have names of their own.
        var (condition, person) = (
            "",
            "ifnull((SELECT -receiver FROM receiverName WHERE receiverName.appGroup = ? AND name = recipient), ifnull(recipient, place))"
        )
        var arguments: StatementArguments = [ListKey(.thread, thread, in: query.group).number]
        if let recipients = query.recipients {
            let marks = Array(repeating: "?", count: recipients.count).joined(separator: ", ")
            (condition, person) = ("WHERE recipient IN (\(marks))", "''")
            arguments += StatementArguments(recipients.map(ListKey.short))
        } else {
            arguments += [query.group.description]
        }
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT count(*) AS counted, total(isShown AND NOT isRead) AS unread FROM
                        (SELECT max(\(Self.isShown)) AS isShown, max(\(Self.isRead)) AS isRead,
                            max(content IS NULL OR \(Self.isShown)) AS counts FROM
                            (SELECT place FROM listedName WHERE key = ? ORDER BY place DESC LIMIT \(Self.maxCounted))
                            JOIN listed USING (place) \(condition)
                            GROUP BY \(person), \(Self.message))
                    WHERE counts
                    """), arguments: arguments)
        let unread: Double = row?.value(of: "unread") ?? 0
        return (min(row?.value(of: "counted") ?? 0, ListedThread.most), min(Int(unread), ListedThread.most))
    }

    func summary(_ query: ListQuery) throws -> OutcomeSummary {
        struct Kind: Hashable { let outcome: Outcome, reason: DegradationReason? }
        var counts: [Kind: Int] = [:]
        let next = try search(query) { listed in
            guard listed.names.hasContent != false else { return true }
            counts[Kind(outcome: listed.outcome, reason: listed.reason), default: 0] += 1
            return true
        }
        let rows = counts.map { OutcomeSummary.Row(outcome: $0.outcome, reason: $0.reason, count: $1) }
        return OutcomeSummary(
            rows: rows.sorted { ($1.count, $0.outcome.rawValue) < ($0.count, $1.outcome.rawValue) },
            isComplete: next == nil)
    }

    /// Calls a body for each notification that a query finds, in the order of the query, until the body returns `false`.
    ///
    /// - Returns: The last searched place if further notifications may follow; `nil` at the end of the list.
    private func search(_ query: ListQuery, _ body: (ListedNotification) throws -> Bool) throws -> Int? {
        guard let filter = try filter(query) else { return nil }
        let (places, goesOn) = try places(of: query)
        let statement = try database.cachedStatement(sql: "\(Self.select) WHERE place = ?\(filter.condition)")
        for place in places {
            guard let row = try Row.fetchOne(statement, arguments: [place] + filter.arguments),
                let listed = ListedNotification(row)
            else { continue }
            guard try body(listed) else { return goesOn || place != places.last ? place : nil }
        }
        return goesOn ? places.last : nil
    }

    /// Returns whether an earlier page of threads has a thread, because it has a notification of the thread.
    private func isOnEarlierPage(_ thread: String, _ query: ListQuery) throws -> Bool {
        guard let after = query.after else { return false }
        var newer = query
        (newer.thread, newer.after) = (thread, nil)
        if query.order == .newest {
            newer.from = max(query.from ?? .distantPast, ListedNotification.date(of: after))
        } else {
            newer.to = min(query.to ?? .distantFuture, ListedNotification.date(of: after + 1))
        }
        var isFound = false
        _ = try search(newer) { listed in
            isFound = listed.isCounted
            return !isFound
        }
        return isFound
    }

    /// Returns the key of the few notifications of an id or of a message; `nil` if the query has no id.
    private func narrowKey(of query: ListQuery) -> ListKey? {
        query.id.map { ListKey(.id, $0, in: query.group) }
            ?? query.providerID.map { ListKey(.providerID, $0, in: query.group) }
    }

    /// Returns the places of the recipient's, the thread's or the group's notifications, in the order of the query.
    private func places(of query: ListQuery) throws -> (places: [Int], goesOn: Bool) {
        let keys: Set<ListKey> =
            narrowKey(of: query).map { [$0] }
            ?? query.recipients.map { names in Set(names.map { ListKey(.recipient, $0, in: query.group) }) }
            ?? [query.thread.map { ListKey(.thread, $0, in: query.group) } ?? ListKey(.group, "", in: query.group)]
        let isNewestFirst = query.order == .newest
        var lower = query.from.map(ListedNotification.place) ?? .min
        var upper = query.to.map { ListedNotification.place(of: $0) - 1 } ?? .max
        if let after = query.after {
            if isNewestFirst { upper = min(upper, after - 1) } else { lower = max(lower, after + 1) }
        }
        let order = isNewestFirst ? "DESC" : "ASC"
        guard !query.isInAllGroups else {
            let statement = try database.cachedStatement(
                sql: "SELECT place FROM listed WHERE place BETWEEN ? AND ? ORDER BY place \(order) LIMIT ?")
            let places = try Int.fetchAll(statement, arguments: [lower, upper, Self.maxSearched])
            return (places, places.count == Self.maxSearched)
        }
        let most = max(1, Self.maxSearched / max(1, keys.count))
        let statement = try database.cachedStatement(
            sql: """
                SELECT place FROM listedName WHERE key = ? AND place BETWEEN ? AND ?
                ORDER BY place \(order) LIMIT ?
                """)
        var (all, horizon): (Set<Int>, Int?) = ([], nil)
        for key in keys {
            let found = try Int.fetchAll(statement, arguments: [key.number, lower, upper, most])
            all.formUnion(found)
            guard found.count == most, let last = found.last else { continue }
            horizon = horizon.map { isNewestFirst ? max($0, last) : min($0, last) } ?? last
        }
        let sorted = all.sorted { isNewestFirst ? $0 > $1 : $0 < $1 }
        guard let horizon else { return (sorted, false) }
        // Beyond the horizon, the notifications of some names are not read.
        return (sorted.filter { isNewestFirst ? $0 >= horizon : $0 <= horizon }, true)
    }

    /// Returns the conditions of a query on a row; `nil` if no row has one of its words.
    private func filter(_ query: ListQuery) throws -> (condition: String, arguments: StatementArguments)? {
        var (condition, arguments): (String, StatementArguments) = ("", [])
        if !query.isInAllGroups {
            guard let group = try ListWords.known(query.group.description, in: database) else { return nil }
            (condition, arguments) = (" AND appGroup = ?", [group])
        }
        if let event = query.missing {
            condition +=
                " AND \(Self.isShown)"
                + " AND NOT EXISTS (SELECT 1 FROM receipt WHERE receipt.place = listed.place AND event = ?)"
            arguments += [event.rawValue]
        }
        func add(_ column: String, _ values: [any DatabaseValueConvertible]) {
            let marks = Array(repeating: "?", count: values.count).joined(separator: ", ")
            condition += " AND \(column) IN (\(marks))"
            arguments += StatementArguments(values)
        }
        for (column, words) in [
            ("outcome", query.outcomes.map { $0.map(\.rawValue) }), ("reason", query.reason.map { [$0.rawValue] }),
            ("provider", query.provider.map { [$0] }),
        ] {
            guard let words else { continue }
            let numbers = try words.compactMap { try ListWords.known($0, in: database) }
            guard !numbers.isEmpty else { return nil }
            add(column, numbers)
        }
        if let recipients = query.recipients { add("recipient", recipients.map(ListKey.short)) }
        if let id = query.id { add("id", [id]) }
        if let id = query.providerID { add("providerID", [ListKey.short(id)]) }
        if let thread = query.thread { add("thread", [ListKey.short(thread)]) }
        if let label = query.label {
            condition += " AND instr(labels || ',', ?) > 0"
            arguments += [Self.column(label) + ","]
        }
        return (condition, arguments)
    }
}
