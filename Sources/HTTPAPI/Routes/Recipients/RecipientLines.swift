import JSON
import NotificationModel

/// The lines of `PATCH /v1/recipients`, each of which changes one receiver by a merge patch.
struct RecipientLines: LineHandling {
    static let targetKeys = ["id"]

    let store: any ReceiverStoring

    func change(_ object: JSONObject, in group: AppGroupName, byteCount: Int) throws(Problem) -> ReceiverChange {
        guard let name = object["id"]?.string.flatMap({ ReceiverName.parse($0) }) else {
            throw Problem(ReceiverError(key: "id", problem: "is not the name of a receiver"))
        }
        return ReceiverChange(
            name: ReceiverName(group: group, name: name), kind: .patch(object), byteCount: byteCount)
    }

    func apply(_ changes: [ReceiverChange]) async -> [Result<JSONObject, Problem>] {
        let answers = await store.apply(changes)
        return zip(changes, answers).map { change, answer in
            guard case .stored(_, let isNew) = answer else {
                return .failure(Problem(answer, about: change.name))
            }
            return .success(["status": isNew ? 201 : 200])
        }
    }
}
