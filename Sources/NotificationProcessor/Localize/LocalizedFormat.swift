/// A formatter that inserts the arguments into a text of a string table, in the format of Apple's "String Format
/// Specifiers". `%@` takes the next argument, `%2$@` takes the second, and `%%` is a percent sign. `%d`, `%i` and `%u`
/// are like `%@`, because the arguments of a push are texts.
enum LocalizedFormat {
    /// The longest text, in bytes. A payload has at most 5,120 bytes, and no platform shows more.
    static let longest = 1 << 16

    /// Inserts the arguments into a text. The placeholder of a missing argument stays visible.
    ///
    /// - Returns: `nil` for a text that would be too long. A few arguments in many placeholders could make gigabytes.
    static func text(_ format: String, _ arguments: [String]) -> String? {
        guard format.utf8.count <= longest else { return nil }
        var text = ""
        var next = 0
        var rest = format[...]
        while let percent = rest.firstIndex(of: "%") {
            guard text.utf8.count <= longest else { return nil }
            text += rest[..<percent]
            let after = rest[rest.index(after: percent)...]
            if after.first == "%" {
                text += "%"
                rest = after.dropFirst()
            } else if let (position, end) = placeholder(after) {
                let index = position ?? next
                if position == nil { next += 1 }
                let argument = arguments.indices.contains(index) ? arguments[index] : String(rest[percent..<end])
                guard argument.utf8.count <= longest else { return nil }
                text += argument
                rest = rest[end...]
            } else {
                text += "%"
                rest = after
            }
        }
        text += rest
        return text.utf8.count <= longest ? text : nil
    }

    /// - Returns: The index of the argument, from 0, and the end of the placeholder. The index is `nil` for the next
    ///   argument. The result is `nil` if the text is not a placeholder.
    private static func placeholder(_ text: Substring) -> (position: Int?, end: Substring.Index)? {
        let digits = text.prefix { ("0"..."9").contains($0) }
        var rest = text[digits.endIndex...]
        var position: Int?
        if !digits.isEmpty {
            guard rest.first == "$", let number = Int(digits), number > 0 else { return nil }
            position = number - 1
            rest = rest.dropFirst()
        }
        guard let kind = rest.first, "@diu".contains(kind) else { return nil }
        return (position, rest.index(after: rest.startIndex))
    }
}
