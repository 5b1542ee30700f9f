/// How bad a finding is.
package enum LintSeverity: String, Sendable, CaseIterable, Comparable {
    /// Worth knowing.
    case note
    /// It is sent, and something of it is probably not as it was meant.
    case warning
    /// It is refused, or a part of it does nothing.
    case error

    private var rank: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .error: 2
        }
    }

    package static func < (left: LintSeverity, right: LintSeverity) -> Bool { left.rank < right.rank }
}
