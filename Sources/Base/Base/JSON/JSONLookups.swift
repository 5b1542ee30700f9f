import Synchronization

/// A record of the paths in a value that a reader looks up, and of the types that the reader accepts there.
///
/// A value has no effect if no reader looks it up, or if it has another type than the reader accepts. A checker finds
/// misspelt keys and wrong types by this record, so it needs no second list of the keys.
package final class JSONLookups: Sendable {
    /// A type of value that a reader accepts.
    package enum Kind: Sendable {
        case string
        case number
        case flag
        case object
        case array

        /// The name of the type in a sentence.
        package var label: String {
            switch self {
            case .string: "a string"
            case .number: "a number"
            case .flag: "true or false"
            case .object: "an object"
            case .array: "an array"
            }
        }

        package func takes(_ value: JSONValue) -> Bool {
            switch (self, value) {
            case (.string, .string), (.number, .number), (.flag, .bool), (.object, .object), (.array, .array): true
            default: false
            }
        }
    }

    /// A path that a reader looked up.
    package struct Lookup: Sendable {
        package let path: JSONPath
        /// The value at the path; `nil` if there is no value.
        package let value: JSONValue?
        /// The types that the reader accepts, in the order of its attempts. It is empty if the reader accepts any type.
        package fileprivate(set) var kinds: [Kind] = []
        fileprivate var takesAny = false

        /// Whether the value has another type than the reader accepts.
        package var isOfWrongType: Bool {
            guard let value, value != .null, !takesAny, !kinds.isEmpty else { return false }
            return !kinds.contains { $0.takes(value) }
        }

        fileprivate mutating func take(_ kinds: [Kind]) {
            if kinds.isEmpty { takesAny = true }
            for kind in kinds where !self.kinds.contains(kind) { self.kinds.append(kind) }
        }
    }

    /// The record has an entry for each lookup, so a path may occur several times.
    private let lookups = Mutex<[Lookup]>([])

    package init() {}

    /// The paths, each once, in the order of their first lookups.
    package var all: [Lookup] {
        var (merged, indices): ([Lookup], [JSONPath: Int]) = ([], [:])
        for lookup in lookups.withLock(\.self) {
            guard let index = indices[lookup.path] else {
                indices[lookup.path] = merged.count
                merged.append(lookup)
                continue
            }
            merged[index].takesAny = merged[index].takesAny || lookup.takesAny
            if !lookup.kinds.isEmpty { merged[index].take(lookup.kinds) }
        }
        return merged
    }

    /// Adds a lookup to the record, and returns its index.
    func look(at path: JSONPath, _ value: JSONValue?) -> Int {
        lookups.withLock { lookups in
            lookups.append(Lookup(path: path, value: value))
            return lookups.count - 1
        }
    }

    /// Adds types that the reader accepts; an empty list if the reader accepts any type.
    func take(_ kinds: [Kind], at index: Int) { lookups.withLock { $0[index].take(kinds) } }
}
