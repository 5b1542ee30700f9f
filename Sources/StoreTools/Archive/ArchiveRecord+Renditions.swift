import FoundationEssentials
import JSON
import NotificationModel

extension ArchiveRecord.Pin {
    /// The range of a pin's date, in seconds since 1970, up to the year 9999.
    private static let dates = 0...253_402_300_799

    init(_ fields: RecordFields) throws(RecordProblem) {
        try fields.checkKeys(
            ["type", "group", "url", "recipe", "keepUntil", "sourceType", "sourceBytes", "files"],
            optional: StoredRenditions.optionalKeys)
        group = try fields.group()
        key = PinKey(
            url: try fields.reference("url"), recipe: RenditionRecipe(key: try fields.text("recipe", most: 1_024)))
        keepUntil = Date(timeIntervalSince1970: Double(try fields.integer("keepUntil", in: Self.dates)))
        media = try StoredRenditions(fields)
    }

    var json: JSONValue {
        let seconds = keepUntil.timeIntervalSince1970.rounded(.up)
        return media.adding(to: [
            "type": "pin", "group": .string(group.description), "url": .string(key.url),
            "recipe": .string(key.recipe.key),
            "keepUntil": .number(JSONNumber(Int(max(0, min(Double(Self.dates.upperBound), seconds))))),
            "sourceType": .string(media.sourceType), "sourceBytes": .number(JSONNumber(media.sourceByteCount)),
            "files": media.filesJSON,
        ])
    }
}

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
