import Base
import GRDB
import RequestJournal

/// The numbers of the words that many listed notifications share: app groups, outcomes, reasons and dialects. A row
/// contains the number in place of the word.
final class ListWords: Sendable {
    private struct State {
        var numbers: [String: Int] = [:]
        var lastPlace = 0
        /// The number of notifications that the running transaction has added.
        var added = 0
    }

    private let state = Guarded(State())

    /// The place of the last notification that was added.
    var lastPlace: Int {
        get { state.withLock { $0.lastPlace } }
        set { state.withLock { $0.lastPlace = newValue } }
    }

    /// Returns the number of a word, which gets one if it has none.
    func number(of word: String, in database: Database) throws -> Int {
        if let number = state.withLock({ $0.numbers[word] }) { return number }
        try database.cachedStatement(sql: "INSERT INTO listWord (word) VALUES (?) ON CONFLICT DO NOTHING")
            .execute(arguments: [word])
        let number = try Self.known(word, in: database) ?? 0
        state.withLock { $0.numbers[word] = number }
        return number
    }

    /// Counts an added notification.
    func countAdded() { state.withLock { $0.added += 1 } }

    /// Returns the number of notifications that the transaction has added, and begins to count again.
    func takeAdded() -> Int {
        state.withLock { state in
            defer { state.added = 0 }
            return state.added
        }
    }

    /// Forgets the numbers, because a transaction that inserted some of them was rolled back.
    func forget() { state.withLock { ($0.numbers, $0.added) = ([:], 0) } }

    /// Returns the number of a word; `nil` if no listed notification has it.
    static func known(_ word: String, in database: Database) throws -> Int? {
        try Int.fetchOne(
            database.cachedStatement(sql: "SELECT number FROM listWord WHERE word = ?"), arguments: [word])
    }
}
