package import JSON

/// A place in a payload, or several, as a person writes it: `attachment.url`, `media[].url`, `com\.vendor.items[2].image`.
///
/// Dots part the keys of objects. `[]` is every element of an array, `[2]` the third one. A backslash takes one of
/// `. [ ] \ =` and the space into a key as it is. A path begins with a key, because a payload is an object.
package struct KeyPathText: Sendable, Hashable, CustomStringConvertible {
    package enum Step: Sendable, Hashable {
        case key(String)
        /// Counted from 0.
        case element(Int)
        case everyElement
    }

    /// What a backslash must stand before, to be part of a key.
    static let marks: Set<Unicode.Scalar> = [".", "[", "]", "\\", "="]

    package let steps: [Step]

    package init(keys: String...) { steps = keys.map { .key($0) } }

    init(steps: [Step]) { self.steps = steps }

    package init(_ text: String) throws(KeyPathError) {
        var parser = KeyPathParser(text)
        steps = try parser.steps()
    }

    /// With the same meaning as what was written, and no backslash that is not needed.
    package var description: String {
        steps.enumerated().map { index, step in
            switch step {
            case .key(let key): (index == 0 ? "" : ".") + Self.escaped(key)
            case .element(let element): "[\(element)]"
            case .everyElement: "[]"
            }
        }.joined()
    }

    private static func escaped(_ key: String) -> String {
        let scalars = Array(key.unicodeScalars)
        var text = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            let isOuterSpace = scalar == " " && (index == 0 || index == scalars.count - 1)
            if marks.contains(scalar) || isOuterSpace { text.append("\\") }
            text.append(scalar)
        }
        return String(text)
    }
}

extension KeyPathText {
    /// A place that a path leads to.
    package struct Match: Sendable {
        package let node: JSONNode
        /// For each `[]` of the path the steps up to it, and which element it is here.
        package let elements: [(steps: ArraySlice<Step>, index: Int)]
    }

    /// Where it leads to in a payload, in the payload's order; places where nothing is are left out.
    package func matches(in payload: JSONNode) -> [Match] {
        var matches = [Match(node: payload, elements: [])]
        for (position, step) in steps.enumerated() {
            matches = matches.flatMap { match in
                switch step {
                case .key(let key): [Match(node: match.node.guess(key), elements: match.elements)]
                case .element(let index): [Match(node: match.node[index], elements: match.elements)]
                case .everyElement:
                    match.node.elements.enumerated().map { index, node in
                        Match(node: node, elements: match.elements + [(steps[..<position], index)])
                    }
                }
            }
        }
        return matches.filter(\.node.exists)
    }

    package func nodes(in payload: JSONNode) -> [JSONNode] { matches(in: payload).map(\.node) }

    /// This path for one match of another: a `[]` behind the same steps is the same element.
    ///
    /// - Returns: `nil` where a `[]` of this path goes into another array: then it says nothing of the match.
    package func beside(_ match: Match) -> KeyPathText? {
        var steps = steps
        for (position, step) in self.steps.enumerated() where step == .everyElement {
            guard let same = match.elements.first(where: { $0.steps == self.steps[..<position] }) else { return nil }
            steps[position] = .element(same.index)
        }
        return KeyPathText(steps: steps)
    }
}
