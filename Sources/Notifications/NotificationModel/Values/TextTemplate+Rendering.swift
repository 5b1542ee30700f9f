package import Base

extension TextTemplate {
    /// The largest size of a rendered line, in bytes, like that of a line from a string table. No platform shows more.
    package static let maxLine = 1 << 16

    /// Returns the line that the template makes; `nil` if the template has placeholders, but none of them has a value.
    ///
    /// A value of the payload is a string or a number. Any other value is missing, like a placeholder without a value.
    /// A separator is written only between two values. A line that is too long is cut, and ends with `…`.
    ///
    /// - Parameter text: The text that the notification shows without the template.
    /// - Parameter lines: Whether the line may have line feeds.
    package func line(of text: NotificationText, app: String, payload: JSONNode, lines: Bool = false) -> String? {
        var line = TemplateLine()
        var (hasPlaceholder, hasValue) = (false, false)
        for part in parts where !line.isFull {
            switch part {
            case .text(let text): line.append(text: text)
            case .separator(let separator): line.append(separator: separator)
            case .placeholder(let placeholder):
                hasPlaceholder = true
                guard let value = Self.value(of: placeholder, text, app, payload) else { continue }
                let isCut = value.utf8.count > Self.maxLine
                let start = isCut ? String(value.prefix(ofBytes: Self.maxLine)) : value
                let clean = start.withoutControls(keepingLineFeeds: lines)
                guard isCut || !clean.isEmpty else { continue }
                hasValue = true
                line.append(value: clean, isCut: isCut)
            }
        }
        return hasPlaceholder && !hasValue ? nil : line.text
    }

    private static func value(
        of placeholder: Placeholder, _ text: NotificationText, _ app: String, _ payload: JSONNode
    ) -> String? {
        switch placeholder {
        case .title: text.title
        case .subtitle: text.subtitle
        case .body: text.body
        case .app: app
        case .value(let path): path.nodes(in: payload).lazy.compactMap(\.identifier).first
        }
    }
}

/// A line that a template makes.
private struct TemplateLine {
    private static let ellipsis = "…"

    private var written = ""
    /// The separator after the last value; `nil` if the next value needs none.
    private var separator: String?
    private(set) var isFull = false

    mutating func append(text: String) {
        separator = nil
        write(text)
    }

    mutating func append(separator new: String) { if separator == nil, !written.isEmpty { separator = new } }

    /// - Parameter isCut: Whether the value is only the start of a longer one, so that nothing follows it.
    mutating func append(value: String, isCut: Bool) {
        write((separator ?? "") + value + (isCut ? Self.ellipsis : ""))
        separator = nil
        if isCut { isFull = true }
    }

    private mutating func write(_ text: String) {
        written += text
        guard written.utf8.count > TextTemplate.maxLine else { return }
        written = written.prefix(ofBytes: TextTemplate.maxLine - Self.ellipsis.utf8.count) + Self.ellipsis
        isFull = true
    }

    /// The line without the spaces at its ends, which a missing value leaves there.
    var text: String {
        var line = written[...]
        while line.first == " " { line.removeFirst() }
        while line.last == " " { line.removeLast() }
        return String(line)
    }
}
