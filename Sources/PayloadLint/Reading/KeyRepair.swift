import JSON
import NotificationModel

/// A change of one key after which a dialect reads more of the payload.
struct KeyRepair: Sendable {
    enum Change: Sendable, Hashable {
        /// The key gets another name.
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

    /// The name of the object at the position, for a sentence.
    var objectName: String {
        let keys = steps.compactMap { if case .key(let key) = $0 { key } else { nil } }
        return keys.isEmpty ? "the top level" : VisibleText.quoted(keys.joined(separator: "."))
    }
}
