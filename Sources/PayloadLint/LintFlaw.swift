import NotificationModel

/// What a check of a rule found: where, what, and how to mend it.
struct LintFlaw {
    /// In the file's object.
    let path: JSONPath
    /// One sentence without a full stop.
    let message: String
    /// One sentence without a full stop, in the imperative.
    let fix: String

    init(_ path: JSONPath, _ message: String, fix: String) {
        self.path = path
        self.message = message
        self.fix = fix
    }

    init(_ node: JSONNode, _ message: String, fix: String) { self.init(node.path, message, fix: fix) }
}
