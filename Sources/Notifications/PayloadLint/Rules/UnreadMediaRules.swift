import Base
import NotificationModel
import NotificationProcessor

/// The rule for URLs of media that the dialect of the payload does not read.
enum UnreadMediaRules {
    static let all = [unread]

    private static let unread = LintRule(
        "media-unread", .warning,
        "The URL of an image, a video or a sound is in a place where the dialect of the payload reads no media. The media item is not shown.",
        source: "docs/use/dialects.md lists the keys that each dialect reads.", precedence: .last
    ) { subject in
        // The app itself uses the data of a silent push.
        guard !subject.reading.isSilent else { return [] }
        // A dialect that almost recognises the payload has already reported the reason.
        guard !subject.reading.problems.contains(where: saysWhy) else { return [] }
        let candidates = unreadURLs(in: subject)
        guard !candidates.isEmpty else { return [] }
        let readers = MediaReaders(subject)
        return candidates.map { place in
            let ids = readers.ids(of: place)
            let who = subject.reading.dialect.map { "\($0) does not read it" } ?? "no dialect recognises the payload"
            let others = ids.isEmpty ? "" : "; \(ids.map(\.description).joined(separator: ", ")) would"
            return RuleFinding(
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
                "If \(reader) is the sender, use --dialect \(reader). Otherwise move the URL to a key that docs/use/dialects.md lists"
        }
        guard let dialect = subject.reading.dialect else {
            return
                "Send {\"aps\": {\"mutable-content\": 1}, \"image\": URL}, or describe the format in the configuration (dialects)"
        }
        return dialect == "apns"
            ? "Move the URL to `image` beside `aps`, or add its key to apns.mediaKeys"
            : "Move the URL to a key of \(dialect) that docs/use/dialects.md lists"
    }

    /// Returns the positions of strings that are URLs of media, but that the dialect has not read as media items.
    ///
    /// A URL that the dialect reads in another position of the payload is left out, because it is fetched from there. A
    /// position at which another rule finds a mistake is left out, because that rule explains the mistake.
    private static func unreadURLs(in subject: LintSubject) -> [JSONPath] {
        let places = Set(subject.media.map(\.path))
        let urls = Set(subject.media.map(\.reference.url))
        let mistakes =
            subject.reading.problems.map(\.place).filter { $0 != .root } + subject.repairs.map(\.place)
            + subject.mistypedValues.map(\.node.path)
        let explained = mistakes.map { subject.payload.path.steps + $0.steps }
        return strings(in: subject.payload).filter { place, text in
            !places.contains(place) && !urls.contains(text) && MediaSmell.isMediaURL(text, at: place)
                // A relative string that the dialect reads is the name of a file in the app, not a URL.
                && (MediaSmell.isAbsolute(text) || !subject.readPlaces.contains(place))
                && !explained.contains { place.steps.starts(with: $0) }
        }.map(\.path)
    }

    /// The maximum number of strings of JSON whose content is searched.
    private static let maxEmbedded = 16

    /// Returns the strings of the payload, and the strings inside its strings of JSON.
    private static func strings(in payload: JSONNode) -> [(path: JSONPath, text: String)] {
        let strings = PayloadWalk(payload).strings
        let embedded = strings.filter { ["{", "["].contains($0.text.first { !$0.isWhitespace }) }
        return strings
            + embedded.prefix(maxEmbedded).flatMap {
                PayloadWalk(JSONNode(.string($0.text), path: $0.path).embedded).strings
            }
    }
}

/// A table of the dialects that would read a media item at each position of one payload.
private struct MediaReaders {
    private var ids: [JSONPath: [DialectID]] = [:]

    init(_ subject: LintSubject) {
        guard let payload = subject.payload.object else { return }
        for dialect in subject.linter.dialects.identifiers {
            for item in subject.linter.dialects.read(payload, requested: dialect).media {
                guard let place = item.path else { continue }
                ids[JSONPath(subject.payload.path.steps + place.steps), default: []].append(dialect)
            }
        }
    }

    func ids(of place: JSONPath) -> [DialectID] { ids[place] ?? [] }
}

/// A heuristic that decides whether a string was meant as the URL of a media item. It uses the extension in the string,
/// and the keys that lead to the string.
enum MediaSmell {
    private static let words = [
        "image", "photo", "media", "picture", "attachment", "icon", "video", "thumb", "audio", "avatar", "banner",
    ]
    /// The keys whose meaning depends on the object that contains them.
    private static let generalKeys: Set<String> = ["url", "uri", "src", "href", "source", "link", "value", "path"]

    static func isMediaURL(_ text: String, at place: JSONPath) -> Bool {
        isAbsolute(text) ? hasMediaExtension(text) || smells(place) : hasMediaExtension(text) && smells(place)
    }

    static func isAbsolute(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return ["https://", "http://", "//"].contains { start.hasPrefix($0) }
    }

    /// Returns whether the path or the end of the query names a media file.
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
