/// A value of a payload together with its place, or a place where nothing is.
///
/// Dialects read by it, with the same lack of surprises as `JSONValue`: a value of another type than the one asked for
/// is simply not there. The place comes along, so that what was read can be pointed at and replaced later.
package struct JSONNode: Sendable {
    /// `nil`: nothing is there.
    package let value: JSONValue?
    package let path: JSONPath

    package init(_ value: JSONValue?, path: JSONPath = .root) {
        self.value = value
        self.path = path
    }

    package init(_ object: JSONObject) { self.init(.object(object)) }

    package subscript(key: String) -> JSONNode { JSONNode(value[key], path: path.appending(.key(key))) }

    package subscript(index: Int) -> JSONNode {
        guard let array = value?.array, array.indices.contains(index) else {
            return JSONNode(JSONValue?.none, path: path.appending(.index(index)))
        }
        return JSONNode(array[index], path: path.appending(.index(index)))
    }

    package func node(at path: JSONPath) -> JSONNode {
        path.steps.reduce(self) { node, step in
            switch step {
            case .key(let key): node[key]
            case .index(let index): node[index]
            case .embedded: node.embedded
            }
        }
    }

    /// Of an array; none of anything else.
    package var elements: [JSONNode] {
        (value?.array ?? []).enumerated().map { JSONNode($1, path: path.appending(.index($0))) }
    }

    /// Of an object, in its order and each key once; none of anything else.
    package var members: [(key: String, node: JSONNode)] {
        guard let object = value?.object else { return [] }
        var seen: Set<String> = []
        return object.keys.filter { seen.insert($0).inserted }.map { ($0, self[$0]) }
    }

    /// What a string holds that is JSON itself.
    package var embedded: JSONNode {
        JSONNode(value?.string.flatMap { try? JSONParser.value(of: $0) }, path: path.appending(.embedded))
    }

    /// Something is there, `null` included.
    package var exists: Bool { value != nil }

    package var object: JSONObject? { value?.object }
    package var array: [JSONValue]? { value?.array }
    package var string: String? { value?.string }
    package var bool: Bool? { value?.bool }
    package var integer: Int? { value?.integer }
    package var double: Double? { value?.double }
    package var identifier: String? { value?.identifier }
    package var isSet: Bool { value?.isSet ?? false }

    /// A string that says something.
    package var text: String? { value?.string.flatMap { $0.isEmpty ? nil : $0 } }

    /// A number, also one that is written as a string of decimal digits.
    package var looseDouble: Double? {
        if let double { return double }
        guard let text, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D }) else {
            return nil
        }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    /// A whole number, also one that is written as a string of decimal digits.
    package var looseInteger: Int? { integer ?? looseDouble.flatMap { Int(exactly: $0) } }
}
