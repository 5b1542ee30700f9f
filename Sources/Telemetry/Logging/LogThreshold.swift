package import Logging
import Synchronization

/// The least severe level that is said, for all loggers that have no level of their own. Changed while they are in use.
package final class LogThreshold: Sendable {
    private let index: Atomic<Int>

    package init(_ level: Logger.Level) { index = Atomic(Self.index(of: level)) }

    package var level: Logger.Level {
        get { Logger.Level.allCases[index.load(ordering: .relaxed)] }
        set { index.store(Self.index(of: newValue), ordering: .relaxed) }
    }

    private static func index(of level: Logger.Level) -> Int { Logger.Level.allCases.firstIndex(of: level) ?? 0 }
}
