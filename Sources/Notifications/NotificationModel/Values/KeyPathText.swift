package import Base

/// A path that matches one or several places in a payload, as an operator writes it: `attachment.url`, `media[].url`,
/// `com\.vendor.items[2].image`.
///
/// Dots separate the keys of objects. `[]` matches every element of an array, and `[2]` matches the third
/// element. A backslash before one of
/// `. [ ] \ =` or a space makes it a part of a key. A path begins with a key, because a payload is an object.
package struct KeyPathText: Sendable, Hashable, CustomStringConvertible {
    package enum Step: Sendable, Hashable {
        case key(String)
        /// The index of an element, from 0.
        case element(Int)
        case everyElement
    }

    /// The characters that are part of a key only if a backslash precedes them.
    static let marks: Set<Unicode.Scalar> = [".", "[", "]", "\\", "="]

    package let steps: [Step]

    package init(keys: String...) { steps = keys.map { .key($0) } }

    init(steps: [Step]) { self.steps = steps }

    package init(_ text: String) throws(KeyPathError) {
        var parser = KeyPathParser(text)
        steps = try parser.steps()
    }

    /// The path as text. This text has the meaning of the parsed text, without unnecessary backslashes.
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
    /// A place in a payload that a path matches.
    package struct Match: Sendable {
        package let node: JSONNode
        /// The steps before each `[]` of the path, and the index of the element in this match.
        package let elements: [(steps: ArraySlice<Step>, index: Int)]
    }

    /// Returns the places that the path matches, in the order of the payload. Places without a value are left out.
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

    /// Returns this path for one match of another path. A `[]` after the same steps means the same element.
    ///
    /// - Returns: The path; `nil` if a `[]` of this path is in another array, so that it is unrelated.
    package func beside(_ match: Match) -> KeyPathText? {
        var steps = steps
        for (position, step) in self.steps.enumerated() where step == .everyElement {
            guard let same = match.elements.first(where: { $0.steps == self.steps[..<position] }) else { return nil }
            steps[position] = .element(same.index)
        }
        return KeyPathText(steps: steps)
    }
}

/// The custom keys for the URL of an image, a video or a sound. Senders that have no separate payload format use these
/// keys in addition to `aps`.
///
/// No document lists them all: they are the keys of tutorials and of small senders. For example, Amazon Pinpoint's
/// extension reads `data.media-url` (amplify-swift, `PinpointNotificationPayload`).
extension KeyPathText {
    /// The keys whose value is used even if it is a relative URL.
    private static let firstMediaKeys = [
        KeyPathText(keys: "media", "url"), KeyPathText(keys: "media-url"), KeyPathText(keys: "media_url"),
        KeyPathText(keys: "image-url"), KeyPathText(keys: "image_url"), KeyPathText(keys: "attachment-url"),
        KeyPathText(keys: "attachment_url"), KeyPathText(keys: "image"), KeyPathText(keys: "video"),
        KeyPathText(keys: "audio"),
    ]

    /// The keys under which senders also put other values. A value of such a key is used only if it is an absolute URL.
    private static let furtherMediaKeys =
        ["imageUrl", "imageURL", "attachmentUrl", "mediaUrl", "media", "picture", "photo"].map { KeyPathText(keys: $0) }

    /// All keys, in the order in which they are tried: first at the top, then below `data`.
    package static let commonMediaKeys = firstMediaKeys + mediaKeysOfURLs

    /// The common keys whose value is used only if it is an absolute URL.
    package static let mediaKeysOfURLs =
        furtherMediaKeys
        + (firstMediaKeys + furtherMediaKeys).map { KeyPathText(steps: [.key("data")] + $0.steps) }
}
