import Base

/// The strings and repeated keys of an object with their positions. The time grows with the size of the object.
struct PayloadWalk {
    /// All strings in their order. For a repeated key, the strings of all its values are included.
    private(set) var strings: [(path: JSONPath, text: String)] = []
    private(set) var repeatedKeys: [JSONPath] = []

    init(_ node: JSONNode) {
        guard let value = node.value else { return }
        walk(value, node.path)
    }

    private mutating func walk(_ value: JSONValue, _ path: JSONPath) {
        switch value {
        case .string(let text): strings.append((path, text))
        case .array(let elements):
            for (index, element) in elements.enumerated() { walk(element, path.appending(.index(index))) }
        case .object(let object):
            var (seen, reported): (Set<String>, Set<String>) = ([], [])
            for member in object.members {
                let place = path.appending(.key(member.key))
                if !seen.insert(member.key).inserted, reported.insert(member.key).inserted {
                    repeatedKeys.append(place)
                }
                walk(member.value, place)
            }
        default: break
        }
    }
}
