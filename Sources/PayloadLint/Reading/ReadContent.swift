import NotificationModel

/// The texts and media that a dialect read of a payload.
struct ReadContent {
    private let media: Set<String>
    /// The lines that are shown if no platform has its own, by their names.
    private let shown: [String: String]
    /// The lines of single platforms, and of the texts in place of the shown one.
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

    /// Whether there are all media and lines of another content, and one that it lacks, or another text in a line. The text
    /// that is shown may have fewer lines if a platform has more of its own.
    func saysMore(than other: ReadContent) -> Bool {
        guard media.isSuperset(of: other.media), other.others.keys.allSatisfy({ others[$0] != nil }) else {
            return false
        }
        if media.count > other.media.count || others != other.others { return true }
        return shown != other.shown && other.shown.keys.allSatisfy { shown[$0] != nil }
    }
}
