/// A place in a JSON value.
package struct JSONPath: Sendable, Hashable, CustomStringConvertible {
    package enum Step: Sendable, Hashable {
        case key(String)
        case index(Int)
        /// Into the JSON that a string holds.
        case embedded
    }

    package var steps: [Step]

    package static let root = JSONPath([])

    package init(_ steps: [Step]) { self.steps = steps }

    package func appending(_ step: Step) -> JSONPath { JSONPath(steps + [step]) }

    /// A JSON pointer (RFC 6901). It goes on into a string that holds JSON as if the JSON stood in the string's place.
    package var description: String {
        steps.map { step in
            switch step {
            case .key(let key):
                "/"
                    + key.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
                    .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
            case .index(let index): "/\(index)"
            case .embedded: ""
            }
        }.joined()
    }
}

extension JSONValue {
    /// This value with another one at a place. A place that is not there is left alone.
    package func replacing(_ path: JSONPath, with new: JSONValue) -> JSONValue {
        replacing(path.steps[...], with: new)
    }

    /// This value with a member of an object at a place, in the old one's place or behind the others. Where no object is
    /// there, nothing changes.
    package func setting(_ key: String, to new: JSONValue, at path: JSONPath) -> JSONValue {
        let place = path.steps.reduce(JSONNode(self)) { node, step in
            switch step {
            case .key(let key): node[key]
            case .index(let index): node[index]
            case .embedded: node.embedded
            }
        }
        guard var object = place.object else { return self }
        if object[key] == nil {
            object.append(key, new)
            return replacing(path, with: .object(object))
        }
        return replacing(path.appending(.key(key)), with: new)
    }

    private func replacing(_ steps: ArraySlice<JSONPath.Step>, with new: JSONValue) -> JSONValue {
        guard let step = steps.first else { return new }
        let rest = steps.dropFirst()
        switch (step, self) {
        case (.key(let key), .object(var object)):
            object.replaceLast(key) { $0.replacing(rest, with: new) }
            return .object(object)
        case (.index(let index), .array(var array)) where array.indices.contains(index):
            array[index] = array[index].replacing(rest, with: new)
            return .array(array)
        case (.embedded, .string(let text)):
            guard let value = try? JSONParser.value(of: text) else { return self }
            return .string(JSONWriter.text(of: value.replacing(rest, with: new)))
        default: return self
        }
    }
}
