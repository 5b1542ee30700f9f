import Base
import CYaml
import Yams

/// A parser for YAML that accepts only mappings, lists and texts, each with its line.
///
/// Two things are refused before Yams reads the text. Yams reports no position for control characters. Yams expands
/// anchors and aliases while it searches for repeated keys, so a few lines can take hours.
enum YAMLText {
    /// The largest depth of a file. Sections, hosts, headers and `{file: …}` have a depth of six.
    private static let deepest = 16

    /// Parses the text of a file or a variable.
    ///
    /// - Parameter source: A function that returns the source of a line, counted from 1.
    /// - Returns: The value; `nil` if the text has no value.
    static func parse(
        _ text: String, source: @escaping (Int) -> ValueSource
    ) throws(ValueErrors) -> ConfigNode? {
        let text = text.withoutByteOrderMark
        if let control = controlCharacter(in: text) {
            throw ValueErrors(source(control.line), "U+\(control.hex) is not permitted in YAML: remove it")
        }
        if let line = YAMLAnchors.firstLine(in: text) { throw ValueErrors(source(line), YAMLAnchors.problem) }
        do {
            let parser = try Parser(yaml: text, encoding: .utf8)
            guard let root = try parser.nextRoot() else { return nil }
            let value = try convert(root, depth: 0, source: source)
            if let second = try parser.nextRoot() {
                throw ValueErrors(source(second.mark?.line ?? 1), "a second document begins here: keep one of them")
            }
            if case .nothing = value.content { return nil }
            return value
        } catch let refusals as ValueErrors {
            throw refusals
        } catch {
            throw YAMLProblem.refusals(for: error, in: text, source: source)
        }
    }

    private static func convert(
        _ node: Node, depth: Int, source: (Int) -> ValueSource
    ) throws(ValueErrors) -> ConfigNode {
        let place = source(node.mark?.line ?? 1)
        guard depth <= deepest else { throw ValueErrors(place, YAMLProblem.tooDeep) }
        guard node.anchor == nil else { throw ValueErrors(place, YAMLAnchors.problem) }
        switch node {
        case .scalar(let scalar):
            guard ![.literal, .folded].contains(scalar.style) else {
                throw ValueErrors(
                    place, "| and > begin a block of text, which is not accepted: write the text in quotes")
            }
            let isNothing = scalar.style == .plain && ["", "~", "null", "Null", "NULL"].contains(scalar.string)
            return ConfigNode(content: isNothing ? .nothing : .text(scalar.string), source: place)
        case .sequence(let nodes):
            var elements: [ConfigNode] = []
            for node in nodes { elements.append(try convert(node, depth: depth + 1, source: source)) }
            return ConfigNode(content: .list(elements), source: place)
        case .mapping(let pairs):
            var members: [ConfigNode.Member] = []
            for (key, value) in pairs {
                let keyPlace = source(key.mark?.line ?? 1)
                guard case .scalar(let name) = key else {
                    throw ValueErrors(keyPlace, "a key must be one word, not a list or mapping")
                }
                members.append(
                    .init(
                        name: name.string, source: keyPlace,
                        value: try convert(value, depth: depth + 1, source: source)))
            }
            return ConfigNode(content: .map(members), source: place)
        case .alias: throw ValueErrors(place, YAMLAnchors.problem)
        }
    }

    private static func controlCharacter(in text: String) -> (line: Int, hex: String)? {
        var line = 1
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
            case 0..<0x20, 0x7F:
                return (line, byte.hexadecimal(digits: 4, uppercase: true))
            default: break
            }
        }
        return nil
    }
}

/// The errors of Yams for an invalid text, as one line with the remedy.
package enum YAMLProblem {
    package static let tooDeep = "this has too many levels: no key needs more than a few"

    static func refusals(for error: any Error, in text: String, source: (Int) -> ValueSource) -> ValueErrors {
        let problem = describe(error, in: text)
        return ValueErrors(source(problem.line), problem.text)
    }

    /// Returns the place of an error, with its line and column from 1, and a sentence with the remedy.
    package static func describe(_ error: any Error, in text: String) -> (line: Int, column: Int, text: String) {
        guard let error = error as? YamlError else { return (1, 1, "it is not YAML: \(error)") }
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            return (mark.line, mark.column, sentence(about: problem, in: mark.line, of: text))
        case .duplicatedKeysInMapping(let names, let context):
            // The position of the context is that of the first key.
            let names = names.sorted().map(QuotedText.quote).joined(separator: " and ")
            return (context.mark.line, context.mark.column, "\(names) is here and again below: keep one of them")
        // libyaml also reports this error if a text is nested too deep.
        case .memory: return (1, 1, tooDeep)
        case .reader(let problem, _, _, _): return (1, 1, "it is not YAML: \(problem)")
        default: return (1, 1, "it is not YAML")
        }
    }

    private static func sentence(about problem: String, in line: Int, of text: String) -> String {
        if problem.hasPrefix("Maximum nesting level") { return tooDeep }
        if hasTabIndentation(line, in: text) { return "the line is indented with a tab: use spaces" }
        // An example is a key path without quotes: [items[].url].
        let isInBrackets = problem.hasPrefix("did not find expected ','")
        let remedy = isInBrackets ? ": put texts with , [ ] { or } in quotes, or close the bracket" : ""
        return "it is not YAML: \(problem)\(remedy)"
    }

    private static func hasTabIndentation(_ line: Int, in text: String) -> Bool {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(line - 1) else { return false }
        return lines[line - 1].prefix { $0 == " " || $0 == "\t" }.contains("\t")
    }
}

/// A search for anchors and aliases with libyaml's parser, which reports them without expanding them.
package enum YAMLAnchors {
    package static let problem =
        "& and * begin an anchor or alias, which are not accepted: put the text in quotes, such as \"*.example.com\""

    /// Returns the line of the first anchor or alias, from 1; `nil` if the text has no anchor or alias, or an error
    /// precedes it.
    package static func firstLine(in text: String) -> Int? {
        guard !text.isEmpty else { return nil }
        var parser = yaml_parser_t()
        // The addresses must stay valid, because libyaml stores pointers to the parser and to the bytes.
        return withUnsafeMutablePointer(to: &parser) { parser in
            Array(text.utf8).withUnsafeBufferPointer { firstLine(in: $0, with: parser) }
        }
    }

    private static func firstLine(
        in bytes: UnsafeBufferPointer<UInt8>, with parser: UnsafeMutablePointer<yaml_parser_t>
    ) -> Int? {
        guard yaml_parser_initialize(parser) == 1 else { return nil }
        defer { yaml_parser_delete(parser) }
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
        while true {
            var event = yaml_event_t()
            guard yaml_parser_parse(parser, &event) == 1 else { return lineOfUnreadable(parser.pointee) }
            defer { yaml_event_delete(&event) }
            if hasAnchor(event) { return Int(event.start_mark.line) + 1 }
            if event.type == YAML_STREAM_END_EVENT { return nil }
        }
    }

    private static func hasAnchor(_ event: yaml_event_t) -> Bool {
        switch event.type {
        case YAML_ALIAS_EVENT: true
        case YAML_SCALAR_EVENT: event.data.scalar.anchor != nil
        case YAML_SEQUENCE_START_EVENT: event.data.sequence_start.anchor != nil
        case YAML_MAPPING_START_EVENT: event.data.mapping_start.anchor != nil
        default: false
        }
    }

    /// Returns the line of an anchor or alias whose name libyaml cannot read, such as `*.example.com`.
    private static func lineOfUnreadable(_ parser: yaml_parser_t) -> Int? {
        guard let context = parser.context.map({ String(cString: $0) }), context.hasPrefix("while scanning an a") else {
            return nil
        }
        return Int(parser.context_mark.line) + 1
    }
}
