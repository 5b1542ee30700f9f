import Base
import NotificationModel

/// A search for the keys of a payload that are misspelt or in the wrong object.
///
/// The lookups of the dialects show which keys each dialect does not find. A key with a similar name, or with the same
/// name one level higher or lower, is a candidate. A candidate is a mistake if the corrected payload has more content,
/// or if a provider recognises the corrected payload.
struct KeyRepairSearch {
    /// The maximum number of members of one object that are compared. The limit bounds the time.
    private static let maxKeys = 64

    /// An object and its keys that the dialect of the payload does not look for.
    private struct Neighborhood {
        /// The names and positions of these keys.
        let unread: [(key: String, place: JSONPath)]
        /// The members of the object that are objects.
        let children: [JSONNode]
        /// The nearest object that contains the object. An array or a string of JSON may be between the two objects.
        /// The value is `nil` if the object is the root.
        let enclosing: JSONNode?
    }

    private struct Candidate: Hashable {
        let place: JSONPath
        let change: KeyRepair.Change
    }

    private var probe: PayloadProbe
    private let root: JSONNode
    /// The positions at which the dialect of the payload looks for values.
    private let known: Set<JSONPath>
    private var neighborhoods: [JSONPath: Neighborhood?] = [:]
    /// The changes that were tried, each with the dialect that reads more after the change. `nil` means that none does.
    private var tried: [Candidate: DialectID?] = [:]
    private(set) var repairs: [KeyRepair] = []

    init(_ probe: PayloadProbe) {
        self.probe = probe
        root = JSONNode(probe.payload)
        let own = probe.readers.first { $0.dialect == probe.reading.dialect }
        known = Set(own?.lookups.map(\.path) ?? [])
        for reader in probe.readers { search(reader) }
    }

    private mutating func search(_ reader: PayloadProbe.Reader) {
        let read = Set(reader.lookups.map(\.path))
        for lookup in reader.lookups where (lookup.value ?? .null) == .null {
            guard case .key(let key)? = lookup.path.steps.last, let parent = lookup.path.parent,
                let near = neighborhood(of: parent)
            else { continue }
            for (name, place) in near.unread where !read.contains(place) && KeyGuess.isSlip(name, of: key) {
                consider(Candidate(place: place, change: .rename(key)), for: reader.dialect)
            }
            for other in near.children + [near.enclosing].compactMap(\.self) where other.object?[key] != nil {
                let place = other.path.appending(.key(key))
                if !known.contains(place) {
                    consider(Candidate(place: place, change: .move(parent)), for: reader.dialect)
                }
            }
        }
    }

    /// Returns the neighborhood of a position. Returns `nil` if the payload has no object at this position.
    private mutating func neighborhood(of place: JSONPath) -> Neighborhood? {
        if let found = neighborhoods[place] { return found }
        let node = root.node(at: place)
        let found = node.object.map { object in
            let members = object.members.prefix(Self.maxKeys)
            let places = members.map { (key: $0.key, place: place.appending(.key($0.key))) }
            return Neighborhood(
                unread: places.filter { !known.contains($0.place) },
                children: members.filter { $0.value.object != nil }.map { node[$0.key] },
                enclosing: enclosingObject(of: place))
        }
        neighborhoods[place] = found
        return found
    }

    private func enclosingObject(of place: JSONPath) -> JSONNode? {
        var place = place
        while let parent = place.parent {
            place = parent
            let node = root.node(at: place)
            if node.object != nil { return node }
        }
        return nil
    }

    private mutating func consider(_ candidate: Candidate, for reader: DialectID) {
        guard !repairs.contains(where: { $0.place == candidate.place }) else { return }
        let repair = KeyRepair(place: candidate.place, change: candidate.change, reader: reader)
        if tried[candidate] == nil { tried[candidate] = .some(result(of: repair)) }
        if tried[candidate] == .some(reader) { repairs.append(repair) }
    }

    private mutating func result(of repair: KeyRepair) -> DialectID? {
        guard let repaired = repair.applied(to: probe.payload) else { return nil }
        if let better = probe.better(repaired) {
            return isOfMostKeys(better, after: repair, in: repaired) ? better : nil
        }
        // A key of one or two letters does not identify a provider.
        guard case .rename(let name) = repair.change, name.utf8.count > 2, let provider = probe.provider(of: repaired),
            isOfMostKeys(provider, after: repair, in: repaired)
        else { return nil }
        return provider
    }

    /// Returns whether a dialect finds more values in the repaired payload than each other dialect finds in the payload
    /// outside the repaired key, or is the dialect of the payload. Senders share short names such as `msg`, so one similar
    /// key shows no sender.
    private func isOfMostKeys(_ dialect: DialectID, after repair: KeyRepair, in repaired: JSONObject) -> Bool {
        guard dialect != probe.reading.dialect else { return true }
        let count = probe.keyCount(of: dialect, in: repaired)
        return probe.readers.allSatisfy { $0.dialect == dialect || $0.keyCount(outside: repair.place) < count }
    }
}

/// A change of one key after which a dialect reads more of the payload.
struct KeyRepair: Sendable {
    enum Change: Sendable, Hashable {
        case rename(String)
        /// The key is moved to another object.
        case move(JSONPath)
    }

    /// The current position of the key in the payload.
    let place: JSONPath
    let change: Change
    /// The dialect that reads the key after the change.
    let reader: DialectID

    /// Returns the payload after the change. Returns `nil` if the payload does not have the key.
    func applied(to payload: JSONObject) -> JSONObject? {
        let value = JSONValue.object(payload)
        guard case .key(let key)? = place.steps.last, let member = JSONNode(value).node(at: place).value else {
            return nil
        }
        switch change {
        case .rename(let name): return value.replacing(place, with: member, as: name).object
        case .move(let target):
            let parent = JSONPath(place.steps.dropLast())
            let members = JSONNode(value).node(at: parent).object?.members.filter { $0.key != key } ?? []
            let rest = value.replacing(parent, with: .object(JSONObject(members: members)))
            return rest.setting(key, to: member, at: target).object
        }
    }
}

extension JSONPath {
    /// The path of the object or the array that contains the position. The value is `nil` if the position is the root.
    var parent: JSONPath? { steps.isEmpty ? nil : JSONPath(steps.dropLast()) }

    /// The keys of the path, without the indices of elements.
    var keys: [String] { steps.compactMap { if case .key(let key) = $0 { key } else { nil } } }

    /// The name of the object at the position, for a sentence.
    var objectName: String { keys.isEmpty ? "the top level" : VisibleText.quoted(keys.joined(separator: ".")) }
}
