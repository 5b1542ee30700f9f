import JSON
import NotificationModel
import NotificationProcessor

/// URLs of media that the payload's dialect does not read.
enum UnreadMediaRules {
    static let all = [unread]

    private static let unread = LintRule(
        "media-unread", .warning,
        "The URL of an image, a video or a sound is in a place where the dialect of the payload reads no media. The media item is not shown.",
        source: "docs/dialects.md lists the keys that each dialect reads.", precedence: .last
    ) { subject in
        // The data of a silent push are for the app.
        guard !subject.reading.isSilent else { return [] }
        // A dialect that nearly recognises the payload says why.
        guard !subject.reading.problems.contains(where: saysWhy) else { return [] }
        let candidates = unreadURLs(in: subject)
        guard !candidates.isEmpty else { return [] }
        let readers = MediaReaders(subject)
        return candidates.map { place in
            let ids = readers.ids(of: place)
            let who = subject.reading.dialect.map { "\($0) does not read it" } ?? "no dialect recognises the payload"
            let others = ids.isEmpty ? "" : "; \(ids.map(\.description).joined(separator: ", ")) would"
            return LintFlaw(
                place,
                "\(place.keys.last.map { VisibleText.quoted($0) } ?? "the payload") has the URL of a media item, but \(who)\(others)",
                fix: fix(for: subject, ids))
        }
    }

    private static func saysWhy(_ problem: PayloadProblem) -> Bool {
        problem.rule.hasSuffix("-unrecognised")
            || problem.rule == PayloadProblem.unknownPayload && problem.place != .root
    }

    private static func fix(for subject: LintSubject, _ readers: [DialectID]) -> String {
        if let reader = readers.first {
            return
                "If \(reader) is the sender, use --dialect \(reader). Otherwise move the URL to a key that docs/dialects.md lists"
        }
        guard let dialect = subject.reading.dialect else {
            return
                "Send {\"aps\": {\"mutable-content\": 1}, \"image\": URL}, or describe the format in the configuration (dialects)"
        }
        return dialect == "apns"
            ? "Move the URL to `image` beside `aps`, or add its key to apns.mediaKeys"
            : "Move the URL to a key of \(dialect) that docs/dialects.md lists"
    }

    /// The places of strings that are URLs of media, and that are no media of the reading. A URL that is read elsewhere in the
    /// payload is fetched all the same, and where another rule finds a mistake it says why.
    private static func unreadURLs(in subject: LintSubject) -> [JSONPath] {
        let places = Set(subject.media.map(\.path))
        let urls = Set(subject.media.map(\.reference.url))
        let mistakes =
            subject.reading.problems.map(\.place).filter { $0 != .root } + subject.repairs.map(\.place)
            + subject.mistypedValues.map(\.node.path)
        let explained = mistakes.map { subject.payload.path.steps + $0.steps }
        return strings(in: subject.payload).filter { place, text in
            !places.contains(place) && !urls.contains(text) && MediaSmell.isMediaURL(text, at: place)
                // The name of a file in the app is no URL.
                && (MediaSmell.isAbsolute(text) || !subject.readPlaces.contains(place))
                && !explained.contains { place.steps.starts(with: $0) }
        }.map(\.path)
    }

    /// Strings of JSON that are looked into.
    private static let mostEmbedded = 16

    /// The strings of the payload, and those in its strings of JSON.
    private static func strings(in payload: JSONNode) -> [(path: JSONPath, text: String)] {
        let strings = PayloadWalk(payload).strings
        let embedded = strings.filter { ["{", "["].contains($0.text.first { !$0.isWhitespace }) }
        return strings
            + embedded.prefix(mostEmbedded).flatMap {
                PayloadWalk(JSONNode(.string($0.text), path: $0.path).embedded).strings
            }
    }
}

/// Which dialects read a medium at which place of one payload.
private struct MediaReaders {
    private var ids: [JSONPath: [DialectID]] = [:]

    init(_ subject: LintSubject) {
        guard let payload = subject.payload.object else { return }
        for dialect in subject.dialects.identifiers {
            for medium in subject.dialects.read(payload, requested: dialect).media {
                guard let place = medium.path else { continue }
                ids[JSONPath(subject.payload.path.steps + place.steps), default: []].append(dialect)
            }
        }
    }

    func ids(of place: JSONPath) -> [DialectID] { ids[place] ?? [] }
}

/// Whether a string was meant as the URL of a medium, by its extension or by the names of its keys.
enum MediaSmell {
    private static let words = [
        "image", "photo", "media", "picture", "attachment", "icon", "video", "thumb", "audio", "avatar", "banner",
    ]
    /// Keys that take their meaning from the object that has them.
    private static let generalKeys: Set<String> = ["url", "uri", "src", "href", "source", "link", "value", "path"]

    static func isMediaURL(_ text: String, at place: JSONPath) -> Bool {
        isAbsolute(text) ? hasMediaExtension(text) || smells(place) : hasMediaExtension(text) && smells(place)
    }

    static func isAbsolute(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return ["https://", "http://", "//"].contains { start.hasPrefix($0) }
    }

    /// The file is named by the path, or by the end of the query.
    private static func hasMediaExtension(_ text: String) -> Bool {
        guard !text.contains(where: \.isWhitespace) else { return false }
        if MediaFormat.named(fileOf: text)?.kind != nil { return true }
        guard let query = text.split(separator: "?", maxSplits: 1).dropFirst().first,
            let dot = query.lastIndex(of: ".")
        else { return false }
        return MediaFormat.named(extension: String(query[query.index(after: dot)...]))?.kind != nil
    }

    private static func smells(_ place: JSONPath) -> Bool {
        let keys = place.keys.map { $0.lowercased() }
        guard let last = keys.last else { return false }
        if words.contains(where: last.contains) { return true }
        guard generalKeys.contains(last), let parent = keys.dropLast().last else { return false }
        return words.contains(where: parent.contains)
    }
}

extension JSONPath {
    fileprivate var keys: [String] { steps.compactMap { if case .key(let key) = $0 { key } else { nil } } }
}
