/// One thing that is wrong with one payload.
package struct LintFinding: Sendable, Equatable {
    /// As the command line names it.
    package var file: String
    /// The rule's identifier.
    package var rule: String
    package var severity: LintSeverity
    /// RFC 6901, in the file's object; empty: the object itself, or the file.
    package var pointer: String
    package var message: String
    package var fix: String
    /// From 1.
    package var line: Int
    /// Unicode scalars from 1.
    package var column: Int
}
