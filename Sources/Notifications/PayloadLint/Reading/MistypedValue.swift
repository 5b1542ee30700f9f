import Base
import NotificationModel

/// A value whose type differs from the type that a dialect reads at the value's position.
struct MistypedValue: Sendable {
    enum Mistake: Sendable {
        /// The dialect reads only these types, and the value has another type.
        case type([JSONLookups.Kind])
        /// The value that the dialect reads is inside an array, an object or a string.
        case wrapped
    }

    let node: JSONNode
    let mistake: Mistake
    let reader: DialectID

    /// Returns the values of the wrong type in a payload.
    ///
    /// - Parameter repairs: The misspelt and misplaced keys. An object around one of them is no wrapper.
    static func all(_ probe: PayloadProbe, excluding repairs: [KeyRepair]) -> [MistypedValue] {
        var search = Search(probe: probe, repairs: repairs)
        search.run()
        return search.found
    }

    private struct Search {
        var probe: PayloadProbe
        let repairs: [KeyRepair]
        var found: [MistypedValue] = []

        mutating func run() {
            let (reading, readers) = (probe.reading, probe.readers)
            for reader in readers {
                for lookup in reader.lookups {
                    guard lookup.path != .root, let value = lookup.value,
                        !found.contains(where: { $0.node.path == lookup.path })
                    else { continue }
                    // An object that the dialect reads at its path is no wrapper around another value.
                    let isObjectInPlace = value.object != nil && lookup.kinds.contains(.object)
                    let isOwn = reader.dialect == reading.dialect
                    if lookup.isOfWrongType, isOwn || countsAsAnothers(lookup, reader.dialect) {
                        add(lookup, .type(lookup.kinds), reader.dialect)
                    } else if !isObjectInPlace,
                        !repairs.contains(where: { $0.place.steps.starts(with: lookup.path.steps) }),
                        let inner = Self.unwrapped(value), let changed = replacing(lookup, with: inner),
                        probe.better(changed) == reader.dialect
                    {
                        add(lookup, .wrapped, reader.dialect)
                    }
                }
            }
        }

        private mutating func add(_ lookup: JSONLookups.Lookup, _ mistake: Mistake, _ reader: DialectID) {
            found.append(
                MistypedValue(node: JSONNode(lookup.value, path: lookup.path), mistake: mistake, reader: reader))
        }

        /// Returns whether a value of the wrong type is reported although the payload's own dialect does not read it.
        ///
        /// The mistake is reported if the provider would recognise the payload with a value of the right type. It is
        /// also reported if the provider reads an object at this path, and `mutable-content` shows that the payload
        /// probably should have media.
        private mutating func countsAsAnothers(_ lookup: JSONLookups.Lookup, _ reader: DialectID) -> Bool {
            guard probe.isOfAnySender, probe.reading.media.isEmpty else { return false }
            if probe.reading.aps.mutableContent, lookup.kinds.allSatisfy({ $0 == .object }) { return true }
            for kind in lookup.kinds {
                if let changed = replacing(lookup, with: kind.example), probe.provider(of: changed) == reader {
                    return true
                }
            }
            return false
        }

        private func replacing(_ lookup: JSONLookups.Lookup, with value: JSONValue) -> JSONObject? {
            JSONValue.object(probe.payload).replacing(lookup.path, with: value).object
        }

        /// Returns the only element of an array, the only member of an object, or the JSON value in a string. Returns
        /// `nil` for all other values.
        private static func unwrapped(_ value: JSONValue) -> JSONValue? {
            switch value {
            case .array(let elements): elements.count == 1 ? elements.first : nil
            case .object(let object): object.members.count == 1 ? object.members.first?.value : nil
            case .string(let text) where text.utf8.first.map("{[".utf8.contains) == true:
                try? JSONParser.value(of: text)
            default: nil
            }
        }
    }
}

extension JSONLookups.Kind {
    fileprivate var example: JSONValue {
        switch self {
        case .string: "https://media.example.com/picture.jpg"
        case .number: 1
        case .flag: true
        case .object: [:]
        case .array: []
        }
    }
}
