/// A text of a string table with its arguments filled in, as Apple's format strings are written (Apple, "String Format
/// Specifiers"): `%@` takes the next argument, `%2$@` the second, `%%` is a percent sign. `%d`, `%i` and `%u` are taken
/// like `%@`: arguments of a push are texts.
enum LocalizedFormat {
    /// Bytes. A payload has at most 5,120 of them, and no platform shows more.
    static let longest = 1 << 16

    /// An argument that is not there leaves its placeholder where it is: the mistake is seen.
    ///
    /// - Returns: `nil` for a text that would be too long: a few arguments times many placeholders make gigabytes.
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

    /// - Returns: which argument, from 0, `nil` for the next one; and where the placeholder ends.
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
