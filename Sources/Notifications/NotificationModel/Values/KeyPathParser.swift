/// A parser for the steps of a `KeyPathText`.
///
/// The parser reads Unicode scalars, because a combining mark after a dot would make another character of the dot.
struct KeyPathParser {
    private let text: String
    private let scalars: [Unicode.Scalar]
    private var position = 0

    init(_ text: String) {
        self.text = text
        scalars = Array(text.unicodeScalars)
    }

    mutating func steps() throws(KeyPathError) -> [KeyPathText.Step] {
        guard !scalars.isEmpty else { throw error("the key path is empty") }
        guard peek() != "[" else { throw error("a path begins with a key, because a payload is an object") }
        var steps: [KeyPathText.Step] = [.key(try key())]
        while let scalar = peek() {
            switch scalar {
            case ".":
                position += 1
                steps.append(.key(try key()))
            case "[":
                steps.append(try element())
            case "]": throw error("a ] has no [ before it; write \\] if it belongs to a key")
            default: throw error("a dot is missing before the next key")
            }
        }
        return steps
    }

    private mutating func key() throws(KeyPathError) -> String {
        let start = position
        var key = String.UnicodeScalarView()
        var endsInSpace = false
        while let scalar = peek(), scalar != ".", scalar != "[", scalar != "]" {
            if scalar == "\\" {
                position += 1
                key.append(try escaped())
                endsInSpace = false
            } else {
                guard scalar != "=" else { throw error("write \\= if = belongs to a key") }
                guard scalar != " " || position != start else { throw outerSpace }
                key.append(scalar)
                endsInSpace = scalar == " "
            }
            position += 1
        }
        guard position > start else { throw error("a key is missing") }
        if endsInSpace {
            position -= 1
            throw outerSpace
        }
        return String(key)
    }

    private func escaped() throws(KeyPathError) -> Unicode.Scalar {
        guard let scalar = peek() else { throw error("the path ends after a backslash") }
        guard KeyPathText.marks.contains(scalar) || scalar == " " else {
            throw error("a backslash must be before one of . [ ] \\ = or a space; write \\\\ for the backslash itself")
        }
        return scalar
    }

    private mutating func element() throws(KeyPathError) -> KeyPathText.Step {
        position += 1
        let start = position
        while let scalar = peek(), ("0"..."9").contains(scalar) { position += 1 }
        guard let end = peek() else { throw error("a ] is missing") }
        guard end == "]" else {
            throw error("brackets are empty, for every element, or have the number of an element, from 0")
        }
        let digits = String(String.UnicodeScalarView(scalars[start..<position]))
        if digits.isEmpty {
            position += 1
            return .everyElement
        }
        guard let index = Int(digits) else {
            position = start
            throw error("the number of the element is too large")
        }
        position += 1
        return .element(index)
    }

    private func peek() -> Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private var outerSpace: KeyPathError {
        error("write a backslash before a space at the start or the end of a key")
    }

    private func error(_ problem: String) -> KeyPathError {
        KeyPathError(text: text, position: position + 1, problem: problem)
    }
}

/// An error in a key path or a rule that an operator wrote, with its position.
package struct KeyPathError: Error, Sendable, Equatable, CustomStringConvertible {
    package let text: String
    /// The position in Unicode scalars, from 1. A missing part at the end is one after the last scalar.
    package let position: Int
    package let problem: String

    package var description: String { "\"\(text)\", character \(position): \(problem)" }
}
