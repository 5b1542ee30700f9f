import NotificationModel
import NotificationProcessor

/// Matrix and SDN.
enum MatrixRules {
    static let all = [reference, count]

    private static let count = LintRule.found(
        "matrix-count", .warning, "A count is no whole number from 0: it does not become the badge.",
        source: "Matrix specification, \"Push Gateway API\", `counts`. A text of digits is read as a number.")

    private static let reference = LintRule(
        "matrix-mxc", .error, "A reference is no `mxc://SERVER/ID`.",
        source: "Matrix specification, \"Matrix Content (mxc://) URIs\"; server names in the appendices."
    ) { subject in
        guard subject.isRead(as: "matrix") else { return [] }
        return subject.media.filter { $0.url.scheme == "mxc" && MatrixMedia($0.reference.url) == nil }.map { medium in
            LintFlaw(
                medium.path, "\(VisibleText.quoted(medium.reference.url)) is no Matrix reference",
                fix: "Write mxc://SERVER/ID, as the homeserver answered the upload")
        }
    }
}
