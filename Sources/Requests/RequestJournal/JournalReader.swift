import Base
package import GRDB

/// A further connection to the journal's database, which only reads. It is opened at the first read.
///
/// A read over the journal's own connection would wait for the syncs of its transactions.
package final class JournalReader: Sendable {
    /// A purpose has a connection of its own, so that its reads wait for no other ones.
    package enum Purpose: String, Sendable {
        /// Short look-ups of single rows, on the thread of look-ups.
        case lookups
        /// The pages of lists, for callers.
        case lists
        /// The rows that are due.
        case deliveries
        /// Searches of whole tables, for erasures.
        case searches
    }

    private enum State {
        case unopened
        case open(DatabaseQueue)
        case closed
    }

    private struct Closed: Error, CustomStringConvertible {
        let description = "the journal is closed"
    }

    /// The memory for pages of the database, in KiB. It has the inner pages of a million names.
    private static let cacheKiB = 16 << 10

    private let path: String
    private let purpose: Purpose
    private let state = Guarded(State.unopened)

    init(path: String, for purpose: Purpose) { (self.path, self.purpose) = (path, purpose) }

    /// Calls a body with the database. The call blocks.
    ///
    /// - Parameter inTransaction: Whether all statements of the body see the same commit. The lock of a transaction
    ///   costs more than a statement, and less than the locks of several statements.
    package func read<Value>(inTransaction: Bool = false, _ body: (Database) throws -> Value) throws -> Value {
        let connection = try connection()
        return inTransaction ? try connection.read(body) : try connection.inDatabase(body)
    }

    /// Calls a body on a thread of the connection. All statements see the same commit.
    package func snapshot<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value
    {
        try await connection().read(body)
    }

    private func connection() throws -> DatabaseQueue {
        try state.withLock { state in
            switch state {
            case .open(let queue): return queue
            case .closed: throw Closed()
            case .unopened:
                var configuration = Configuration()
                configuration.label = "journal.sqlite, \(purpose.rawValue)"
                configuration.readonly = true
                configuration.busyMode = .timeout(1)
                configuration.prepareDatabase { database in
                    try database.execute(sql: "PRAGMA cache_size = -\(Self.cacheKiB)")
                }
                let queue = try DatabaseQueue(path: path, configuration: configuration)
                state = .open(queue)
                return queue
            }
        }
    }

    func close() {
        let queue = state.withLock { state -> DatabaseQueue? in
            defer { state = .closed }
            return if case .open(let queue) = state { queue } else { nil }
        }
        try? queue?.close()
    }
}
