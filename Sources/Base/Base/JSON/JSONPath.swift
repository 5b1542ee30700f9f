/// The path to a value within a JSON value.
package struct JSONPath: Sendable, Hashable, CustomStringConvertible {
    package enum Step: Sendable, Hashable {
        case key(String)
        case index(Int)
        /// The step into the JSON value that is written in a string.
        case embedded
    }

    package var steps: [Step]

    package static let root = JSONPath([])

    package init(_ steps: [Step]) { self.steps = steps }

    package func appending(_ step: Step) -> JSONPath {
        var path = self
        path.steps.append(step)
        return path
    }

    /// The path as a JSON pointer (RFC 6901). A path into JSON within a string continues as if the JSON stood there.
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
    /// Returns the index of each step of a path, so that paths can be compared by the order in which their values are
    /// written. A path into the JSON of a string has the position of the string. A path that does not exist has the
    /// position of the value around it.
    package func position(of path: JSONPath) -> [Int] {
        var (position, value): ([Int], JSONValue) = ([], self)
        for step in path.steps {
            switch (step, value) {
            case (.key(let key), .object(let object)):
                guard let index = object.lastIndex(of: key) else { return position }
                position.append(index)
                value = object.members[index].value
            case (.index(let index), .array(let array)) where array.indices.contains(index):
                position.append(index)
                value = array[index]
            default: return position
            }
        }
        return position
    }

    /// Returns a copy of this value with a new value at a path. If the path does not exist, the copy is unchanged.
    package func replacing(_ path: JSONPath, with new: JSONValue) -> JSONValue {
        replacing(path.steps[...], with: new)
    }

    /// Returns a copy of this value in which a member of the object at a path is set. A new key comes after the others.
    /// If there is no object at the path, the copy is unchanged.
    package func setting(_ key: String, to new: JSONValue, at path: JSONPath) -> JSONValue {
        guard var object = JSONNode(self).node(at: path).object else { return self }
        if object[key] == nil {
            object.append(key, new)
            return replacing(path, with: .object(object))
        }
        return replacing(path.appending(.key(key)), with: new)
    }

    /// Returns a copy of this value in which a member is replaced by one with another key. Any other member with the
    /// new key is removed. If the path does not exist or does not lead to a member, the copy is unchanged.
    package func replacing(_ path: JSONPath, with new: JSONValue, as key: String) -> JSONValue {
        guard case .key(let old)? = path.steps.last, old != key else { return replacing(path, with: new) }
        let place = JSONPath(path.steps.dropLast())
        guard let object = JSONNode(self).node(at: place).object, object[old] != nil else { return self }
        var members: [JSONObject.Member] = []
        for member in object.members where member.key != key {
            guard member.key == old else {
                members.append(member)
                continue
            }
            if !members.contains(where: { $0.key == key }) { members.append(.init(key: key, value: new)) }
        }
        return replacing(place, with: .object(JSONObject(members: members)))
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
