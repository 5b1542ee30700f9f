import Base

/// A template for one line of the texts that a notification shows, as an operator writes it: `{title} · {app}`.
///
/// `{title}`, `{subtitle}` and `{body}` are the lines of the shown text, `{app}` is the name of the app, and
/// `{key.path}` is a value of the payload. `{{` and `}}` are braces. A template is parsed once, when the configuration is read.
package struct TextTemplate: Sendable, Hashable, CustomStringConvertible {
    package enum Placeholder: Sendable, Hashable {
        case title
        case subtitle
        case body
        case app
        case value(KeyPathText)
    }

    enum Part: Sendable, Hashable {
        case text(String)
        /// A text between two placeholders that has only spaces, dashes and points, such as ` · `.
        case separator(String)
        case placeholder(Placeholder)
    }

    /// The largest size of a template, in bytes.
    package static let maxLength = 1_000
    /// The largest number of placeholders. Each of them is looked up in the payload.
    package static let maxPlaceholders = 16

    /// The template as the operator wrote it.
    package let description: String
    let parts: [Part]

    /// - Parameter lines: Whether the template may have line feeds, as the template of a body may.
    package init(_ text: String, lines: Bool = false) throws(KeyPathError) {
        description = text
        var parser = try TextTemplateParser(text, lines: lines)
        parts = try parser.parts()
    }
}

/// The parser of templates. Like the parser of key paths, it reads Unicode scalars.
struct TextTemplateParser {
    private static let words: [(name: String, placeholder: TextTemplate.Placeholder)] = [
        ("title", .title), ("subtitle", .subtitle), ("body", .body), ("app", .app),
    ]
    /// The largest number of scalars of a placeholder that an error repeats.
    private static let maxShown = 48

    private let text: String
    private let scalars: [Unicode.Scalar]
    private let lines: Bool
    private var position = 0

    init(_ text: String, lines: Bool) throws(KeyPathError) {
        self.text = text
        self.lines = lines
        guard (1...TextTemplate.maxLength).contains(text.utf8.count) else {
            scalars = []
            throw error("a template has 1 to \(TextTemplate.maxLength) bytes")
        }
        scalars = Array(text.unicodeScalars)
    }

    mutating func parts() throws(KeyPathError) -> [TextTemplate.Part] {
        var parts: [TextTemplate.Part] = []
        var literal = String.UnicodeScalarView()
        func isPlaceholder(_ part: TextTemplate.Part?) -> Bool { if case .placeholder = part { true } else { false } }
        while position < scalars.count {
            let scalar = scalars[position]
            let isDoubled = position + 1 < scalars.count && scalars[position + 1] == scalar
            switch scalar {
            case "{" where !isDoubled:
                let placeholder = try readPlaceholder()
                if !literal.isEmpty {
                    let text = String(literal)
                    let isSeparator = isPlaceholder(parts.last) && Self.isSeparator(text)
                    parts.append(isSeparator ? .separator(text) : .text(text))
                }
                parts.append(.placeholder(placeholder))
                literal = String.UnicodeScalarView()
                guard parts.count(where: isPlaceholder) <= TextTemplate.maxPlaceholders else {
                    throw error("a template has at most \(TextTemplate.maxPlaceholders) placeholders")
                }
            case "}" where !isDoubled: throw error("a } has no { before it; write }} for the character itself")
            case "{", "}":
                literal.append(scalar)
                position += 2
            default:
                try check(scalar)
                literal.append(scalar)
                position += 1
            }
        }
        if !literal.isEmpty { parts.append(.text(String(literal))) }
        return parts
    }

    /// Returns whether a text only separates two values. Brackets, quotes and a percent sign belong to one of them.
    private static func isSeparator(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            [.spaceSeparator, .dashPunctuation].contains(scalar.properties.generalCategory)
                || "\n·•|/:;,…".unicodeScalars.contains(scalar)
        }
    }

    /// Reads a placeholder, and moves to the scalar after its closing brace.
    private mutating func readPlaceholder() throws(KeyPathError) -> TextTemplate.Placeholder {
        let start = position + 1
        guard let end = scalars[start...].firstIndex(of: "}") else { throw error("a } is missing") }
        if let inner = scalars[start..<end].firstIndex(of: "{") {
            position = inner
            throw error("a placeholder cannot have a { in it; write {{ for the character itself")
        }
        let name = String(String.UnicodeScalarView(scalars[start..<end]))
        if let known = Self.words.first(where: { $0.name == name }) {
            position = end + 1
            return known.placeholder
        }
        let shown = "{\(VisibleText.short(name, most: Self.maxShown))}"
        // A single word that is nearly a known one is a mistake, and not the key of a payload.
        if !name.contains(where: { ".[".contains($0) }),
            let meant = Self.words.first(where: { KeyGuess.isSlip(name, of: $0.name) })
        {
            throw error("\(shown) is not a placeholder; did you mean {\(meant.name)}?")
        }
        do {
            let path = try KeyPathText(name)
            position = end + 1
            return .value(path)
        } catch {
            let words = Self.words.map { "{\($0.name)}" }.joined(separator: ", ")
            throw KeyPathError(
                text: text, position: start + error.position,
                problem: "\(shown) is neither one of \(words) nor a key path: \(error.problem)")
        }
    }

    private func check(_ scalar: Unicode.Scalar) throws(KeyPathError) {
        if lines, scalar == "\n" { return }
        let isControl = [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        guard isControl || scalar.properties.isBidiControl else { return }
        let name = VisibleText.name(of: scalar)
        throw error("\(name) is a control character or changes the direction of text; remove it")
    }

    private func error(_ problem: String) -> KeyPathError {
        KeyPathError(text: text, position: position + 1, problem: problem)
    }
}
