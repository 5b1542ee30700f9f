/// A check of a value in force against this machine, by somebody who uses the value.
///
/// The loader makes the checks last, so that a start and a reload refuse what would fail later.
package struct ConfigurationCheck: Sendable {
    let key: String
    let problem: @Sendable (Configuration) -> String?

    /// - Parameters:
    ///   - key: its path, as `fetch.caFile`.
    ///   - problem: says what is wrong and how to mend it; `nil` when nothing is. It may block on the file system.
    package init(_ key: String, problem: @escaping @Sendable (Configuration) -> String?) {
        self.key = key
        self.problem = problem
    }
}
