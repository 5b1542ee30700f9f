/// A value of a payload together with its path, or a path without a value.
///
/// Dialects read payloads with this type. A value of another type than the requested one reads as `nil`, as with
/// `JSONValue`. The path is kept, so that messages can name it and the value can be replaced later.
package struct JSONNode: Sendable {
    private let stored: JSONValue?
    /// The path of the value that contains this one, and the step from there to this value. The whole path is an array,
    /// and most lookups find nothing, so the array is created only when it is needed. Without a `step`, `parent` is the
    /// whole path.
    private var parent: JSONPath
    private var step: JSONPath.Step?
    /// The record of the lookups; `nil` if lookups are not recorded.
    private let record: JSONLookups?
    /// The index of the lookup of this path in the record; 0 if lookups are not recorded.
    private let index: Int

    /// Creates a node for a value. The members and elements that a reader looks up are recorded, if there is a record.
    package init(_ value: JSONValue?, path: JSONPath = .root, recordedIn lookups: JSONLookups? = nil) {
        self.init(value, parent: path, step: nil, recordedIn: lookups)
    }

    private init(_ value: JSONValue?, parent: JSONPath, step: JSONPath.Step?, recordedIn lookups: JSONLookups?) {
        (stored, self.parent, self.step) = (value, parent, step)
        record = lookups
        index = lookups.map { $0.look(at: step.map(parent.appending) ?? parent, value) } ?? 0
    }

    package init(_ object: JSONObject) { self.init(.object(object)) }

    package var path: JSONPath { step.map(parent.appending) ?? parent }

    /// The same node with its whole path. With it, many lookups of members create the array only once.
    package var withWholePath: JSONNode {
        var node = self
        (node.parent, node.step) = (path, nil)
        return node
    }

    /// Whether lookups of the members and elements are recorded.
    package var isRecorded: Bool { record != nil }

    /// The value; `nil` if there is no value at the path.
    package var value: JSONValue? { taken(as: [], stored) }

    package subscript(key: String) -> JSONNode {
        record?.take([.object], at: index)
        return guess(key)
    }

    /// Returns a member, and does not record that the reader expects an object.
    package func guess(_ key: String) -> JSONNode { node(member(key), .key(key)) }

    private func member(_ key: String) -> JSONValue? {
        guard case .object(let object)? = stored else { return nil }
        return object[key]
    }

    /// The same node, whose lookups are not recorded.
    package var unrecorded: JSONNode { JSONNode(stored, parent: parent, step: step, recordedIn: nil) }

    package subscript(index: Int) -> JSONNode {
        guard let array, array.indices.contains(index) else { return node(JSONValue?.none, .index(index)) }
        return node(array[index], .index(index))
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

    /// The elements of an array; empty for other values.
    package var elements: [JSONNode] { (array ?? []).enumerated().map { node($1, .index($0)) } }

    /// The members of an object in their order, each key once; empty for other values.
    package var members: [(key: String, node: JSONNode)] {
        guard let object else { return [] }
        var seen: Set<String> = []
        return object.keys.filter { seen.insert($0).inserted }.map { ($0, node(object[$0], .key($0))) }
    }

    /// The JSON value that is written in a string.
    package var embedded: JSONNode { node(string.flatMap { try? JSONParser.value(of: $0) }, .embedded) }

    /// Returns whether an object has a member. `null` is a value, too.
    package func has(_ key: String) -> Bool { record == nil ? member(key) != nil : self[key].exists }

    /// Whether there is a value at the path. `null` is a value, too.
    package var exists: Bool { stored != nil }

    package var object: JSONObject? { taken(as: [.object], stored?.object) }
    package var array: [JSONValue]? { taken(as: [.array], stored?.array) }
    package var string: String? { taken(as: [.string], stored?.string) }
    package var bool: Bool? { taken(as: [.flag], stored?.bool) }
    package var integer: Int? { taken(as: [.number], stored?.integer) }
    package var double: Double? { taken(as: [.number], stored?.double) }
    package var identifier: String? { taken(as: [.string, .number], stored?.identifier) }
    package var isSet: Bool { taken(as: [.number, .flag], stored?.isSet) ?? false }

    /// A string that is not empty.
    package var text: String? { string.flatMap { $0.isEmpty ? nil : $0 } }

    /// A number, or a string of decimal digits that is read as a number.
    package var looseDouble: Double? {
        if let double { return double }
        guard let text, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D }) else {
            return nil
        }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    /// A whole number, or a string of decimal digits that is read as a whole number.
    package var looseInteger: Int? { integer ?? looseDouble.flatMap { Int(exactly: $0) } }

    private func node(_ value: JSONValue?, _ step: JSONPath.Step) -> JSONNode {
        JSONNode(value, parent: path, step: step, recordedIn: record)
    }

    private func taken<Value>(as kinds: @autoclosure () -> [JSONLookups.Kind], _ value: Value?) -> Value? {
        record?.take(kinds(), at: index)
        return value
    }
}
