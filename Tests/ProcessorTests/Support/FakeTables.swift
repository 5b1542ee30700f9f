import NotificationModel

/// String tables in memory.
final class FakeTables: StringTableReading {
    private let tables: [String: [String: String]]
    private let neverAnswers: Bool
    private let names = Guarded<[String]>([])

    /// - Parameter neverAnswers: until the wait is cancelled.
    init(_ tables: [String: [String: String]] = [:], neverAnswers: Bool = false) {
        self.tables = tables
        self.neverAnswers = neverAnswers
    }

    /// In the order in which they were asked for.
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
