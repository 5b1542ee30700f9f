import JSON
import NotificationModel

/// Finds the keys of a payload that are misspelt, or stand in the wrong object.
///
/// The lookups of dialects tell which keys each of them misses. A key that nearly has such a name, or has it one level above
/// or below, is a candidate. It is a mistake if the payload that has it mended says more, or whose it is.
struct KeyRepairSearch {
    /// Comparing more keys of one object would find nothing more.
    private static let mostKeys = 64

    /// An object with keys that its payload's dialect does not look for.
    private struct Surroundings {
        /// The places of those keys.
        let unread: [(key: String, place: JSONPath)]
        /// The objects in the object.
        let children: [JSONNode]
        /// The object that has the object, also in an array or as a string.
        let enclosing: JSONNode?
    }

    private struct Candidate: Hashable {
        let place: JSONPath
        let change: KeyRepair.Change
    }

    private var trial: PayloadTrial
    private let root: JSONNode
    /// The places at which the payload's own dialect looks.
    private let known: Set<JSONPath>
    private var surroundings: [JSONPath: Surroundings?] = [:]
    /// The dialect that reads more after the change.
    private var tried: [Candidate: DialectID?] = [:]
    private(set) var repairs: [KeyRepair] = []

    init(_ trial: PayloadTrial) {
        self.trial = trial
        root = JSONNode(trial.payload)
        let own = trial.readers.first { $0.dialect == trial.reading.dialect }
        known = Set(own?.lookups.map(\.path) ?? [])
        for reader in trial.readers { search(reader) }
    }

    private mutating func search(_ reader: PayloadTrial.Reader) {
        let read = Set(reader.lookups.map(\.path))
        for lookup in reader.lookups where (lookup.value ?? .null) == .null {
            guard case .key(let key)? = lookup.path.steps.last, let parent = lookup.path.parent,
                let near = surroundings(of: parent)
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

    /// `nil`: there is no object.
    private mutating func surroundings(of place: JSONPath) -> Surroundings? {
        if let found = surroundings[place] { return found }
        let node = root.node(at: place)
        let found = node.object.map { object in
            let members = object.members.prefix(Self.mostKeys)
            let places = members.map { (key: $0.key, place: place.appending(.key($0.key))) }
            return Surroundings(
                unread: places.filter { !known.contains($0.place) },
                children: members.filter { $0.value.object != nil }.map { node[$0.key] },
                enclosing: enclosingObject(of: place))
        }
        surroundings[place] = found
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
        guard let mended = repair.applied(to: trial.payload) else { return nil }
        if let better = trial.better(mended) { return better }
        // Short names are anybody's.
        guard case .rename(let name) = repair.change, name.utf8.count > 2 else { return nil }
        return trial.provider(of: mended)
    }
}
