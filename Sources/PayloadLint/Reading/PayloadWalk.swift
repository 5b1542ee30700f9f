import JSON
import NotificationModel

/// All values of an object with their places, each once, in a time that grows with its size alone.
struct PayloadWalk {
    /// Every string, in order; of a repeated key those of all its values.
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
            var (seen, told): (Set<String>, Set<String>) = ([], [])
            for member in object.members {
                let place = path.appending(.key(member.key))
                if !seen.insert(member.key).inserted, told.insert(member.key).inserted { repeatedKeys.append(place) }
                walk(member.value, place)
            }
        default: break
        }
    }
}
