import Base
import NotificationModel

/// A reader of string tables that a test keeps in memory.
final class FakeTables: StringTableReading {
    private let tables: [String: [String: String]]
    private let neverAnswers: Bool
    private let names = Guarded<[String]>([])

    /// - Parameter neverAnswers: Whether a table is only returned after its task is cancelled.
    init(_ tables: [String: [String: String]] = [:], neverAnswers: Bool = false) {
        self.tables = tables
        self.neverAnswers = neverAnswers
    }

    /// The names of the requested tables, in the order of the requests.
    var asked: [String] { names.withLock { $0 } }

    func table(_ name: String, in group: AppGroupName) async -> [String: String]? {
        names.withLock { $0.append("\(group)/\(name)") }
        if neverAnswers {
            let (stream, continuation) = AsyncStream<Never>.makeStream()
            for await _ in stream {}
            withExtendedLifetime(continuation) {}
        }
        return tables[name]
    }
}
