import NotificationModel

/// The texts and media that a dialect has read from a payload.
struct ReadContent {
    private let media: Set<String>
    /// The title, the subtitle and the body for platforms without separate texts, by their names.
    private let shown: [String: String]
    /// The texts for single platforms, for a fallback and for an expired message, each with its title, subtitle and
    /// body as separate entries.
    private let others: [String: String]

    init(_ reading: PushPayload) {
        media = Set(reading.media.map(\.url))
        shown = Self.lines(of: reading.successText, "success")
        let platforms = reading.platformTexts.map { Self.lines(of: $1, $0.rawValue) }
        let others = [Self.lines(of: reading.fallbackText, "fallback"), Self.lines(of: reading.expiryText, "expiry")]
        self.others = (platforms + others).reduce(into: [:]) { $0.merge($1) { line, _ in line } }
    }

    private static func lines(of text: NotificationText?, _ name: String) -> [String: String] {
        let lines = ["\(name) title": text?.title, "\(name) subtitle": text?.subtitle, "\(name) body": text?.body]
        return lines.compactMapValues { $0 }.filter { !$0.value.isEmpty }
    }

    /// Returns whether this content has more than another content. This content must have all media and all entries of
    /// `others` of the other content. It must also have more media, a new or different entry in `others`, or a
    /// different entry in `shown`.
    ///
    /// An entry may be missing in `shown` only if there are more media, or a new or different entry in `others`.
    func saysMore(than other: ReadContent) -> Bool {
        guard media.isSuperset(of: other.media), other.others.keys.allSatisfy({ others[$0] != nil }) else {
            return false
        }
        if media.count > other.media.count || others != other.others { return true }
        return shown != other.shown && other.shown.keys.allSatisfy { shown[$0] != nil }
    }
}
