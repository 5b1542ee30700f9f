import Primitives
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
