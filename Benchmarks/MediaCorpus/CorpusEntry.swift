import NotificationModel

/// What became of one file.
struct CorpusEntry: Sendable, Encodable {
    enum Verdict: String, Sendable, Encodable, CaseIterable {
        /// As the source looks to the oracle.
        case shown
        /// The oracle cannot read the source, or nothing of what was made is a picture. Or the source is damaged: decoders
        /// differ in what they fill missing rows with.
        case unjudged
        case refused
        /// Refused, though the oracle shows it.
        case elsewhere
        /// Unlike the source, or the worker ended.
        case wrong
    }

    struct Made: Sendable, Encodable {
        var kind: String
        var type: String
        var width: Int
        var height: Int
        var byteCount: Int
    }

    var path: String
    var byteCount: Int
    /// The MIME type by the first bytes; `unknown` where they are of none.
    var type: String
    var verdict: Verdict
    /// Why it is refused, as in verdicts of contents.
    var reason: String?
    /// More of that, or the damage of a source that is shown.
    var detail: String?
    /// The code of a phone's `UNError`.
    var unError: Int?
    /// In what renditions are unlike the source.
    var flaws: [String] = []
    var made: [Made] = []
    /// The oracle's word on the source: format and size, or why there is none.
    var oracle: String
    var milliseconds: Double
    /// The worker's highest mark; `nil` where no worker was at it, or it ended.
    var peakKilobytes: Int?
}
