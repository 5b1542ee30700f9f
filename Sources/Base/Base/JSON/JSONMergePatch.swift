extension JSONValue {
    /// Returns the value after a merge patch (RFC 7396 §2). A member `null` of the patch removes a member, an object
    /// changes the members that it names, and any other value replaces the old one.
    package func merging(_ patch: JSONValue) -> JSONValue {
        guard case .object(let changes) = patch else { return patch }
        return .object((object ?? JSONObject()).merging(changes))
    }
}

extension JSONObject {
    /// Returns the object after a merge patch (RFC 7396 §2). New members follow the old ones.
    package func merging(_ patch: JSONObject) -> JSONObject {
        var merged = self
        var removed: Set<String> = []
        // Only the last value of a repeated key applies.
        for (index, member) in patch.members.enumerated() where patch.lastIndex(of: member.key) == index {
            if member.value == .null {
                removed.insert(member.key)
            } else {
                merged.set(member.key, (merged[member.key] ?? .null).merging(member.value))
            }
        }
        // The members are removed together, because the removal of one takes as long as the removal of all.
        return removed.isEmpty ? merged : JSONObject(members: merged.members.filter { !removed.contains($0.key) })
    }

    /// Changes the value of a key, the last one if the key is repeated, or appends the key.
    package mutating func set(_ key: String, _ value: JSONValue) {
        if lastIndex(of: key) == nil { append(key, value) } else { replaceLast(key) { _ in value } }
    }
}
