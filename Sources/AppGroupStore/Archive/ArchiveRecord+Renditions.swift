import JSON
import NotificationModel

extension ArchiveRecord.Renditions {
    init(_ fields: RecordFields) throws(RecordProblem) {
        try fields.checkKeys(
            ["type", "group", "identity", "recipe", "sourceType", "sourceBytes", "files"],
            optional: StoredRenditions.optionalKeys)
        group = try fields.group()
        key = RenditionKey(
            identity: try fields.text("identity", most: 64),
            recipe: RenditionRecipe(key: try fields.text("recipe", most: 1_024)))
        media = try StoredRenditions(fields)
    }

    var json: JSONValue {
        media.adding(to: [
            "type": "renditions", "group": .string(group.description), "identity": .string(key.identity),
            "recipe": .string(key.recipe.key), "sourceType": .string(media.sourceType),
            "sourceBytes": .number(JSONNumber(media.sourceByteCount)), "files": media.filesJSON,
        ])
    }
}
