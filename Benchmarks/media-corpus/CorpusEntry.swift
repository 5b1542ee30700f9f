import NotificationModel

/// The result for one file of the corpus.
struct CorpusEntry: Sendable, Encodable {
    enum Verdict: String, Sendable, Encodable, CaseIterable {
        /// The renditions look like the source to the oracle.
        case shown
        /// No comparison is possible: the oracle cannot read the source, no rendition is an image, or the source is
        /// damaged. Decoders fill the missing rows of a damaged image differently.
        case unjudged
        case refused
        /// The file is refused, although the oracle shows it.
        case elsewhere
        /// A rendition differs from the source, or the worker ended unexpectedly.
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
    /// The MIME type by the first bytes; `unknown` if no known type has these bytes.
    var type: String
    var verdict: Verdict
    /// The reason of a refusal, as in the verdicts of a result; `nil` if the file is not refused.
    var reason: String?
    /// The details of the refusal, or the damage of a source that has renditions.
    var detail: String?
    /// The code of a phone's `UNError`; `nil` if the file is not refused, or its refusal has no such code.
    var unError: Int?
    /// The differences between the renditions and the source.
    var flaws: [String] = []
    var made: [Made] = []
    /// The oracle's result for the source: the format and the size of the source, or the reason of the refusal.
    var oracle: String
    var milliseconds: Double
    /// The peak of the worker's memory; `nil` if no worker processed the file, or if the worker ended unexpectedly.
    var peakKilobytes: Int?
}
