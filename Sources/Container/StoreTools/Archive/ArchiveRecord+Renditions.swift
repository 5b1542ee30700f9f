import AppGroupStore
import Base
import FoundationEssentials
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
            "recipe": .string(key.recipe.key),
        ])
    }
}

/// The members of a record that describe renditions: `sourceType`, `sourceBytes`, `damage`, `source` and `files`.
extension StoredRenditions {
    /// The maximum number of files that are made from one media item.
    private static let maxFiles = 16
    private static let sizes = 0...(1 << 40)
    private static let sides = 0...(1 << 20)

    /// The members that are absent from records of some versions and sources.
    static let optionalKeys: Set<String> = ["damage", "source"]

    init(_ fields: RecordFields) throws(RecordProblem) {
        var assets: [StoredAsset] = []
        for file in try fields.list("files", most: Self.maxFiles) { assets.append(try Self.asset(file)) }
        self.init(
            assets: assets, sourceType: try fields.text("sourceType"),
            sourceByteCount: try fields.integer("sourceBytes", in: Self.sizes),
            damage: try fields.textIfPresent("damage"), source: SourceFacts(fields.value("source")))
    }

    private static func asset(_ fields: RecordFields) throws(RecordProblem) -> StoredAsset {
        try fields.checkKeys(
            [
                "sha256", "kind", "mimeType", "bytes", "width", "height", "frames", "sourceFrames", "durationMs",
                "blurhash", "dominantColor",
            ], optional: ["keptFrames", "streams"])
        let mimeType = try fields.text("mimeType")
        guard let kind = RenditionKind(rawValue: try fields.text("kind")) else {
            throw RecordProblem("kind is unknown")
        }
        guard let type = MediaFormat.rendition(mimeType: mimeType) else {
            throw RecordProblem("mimeType is not a type of rendition")
        }
        var preview: ImagePreview?
        if let blurhash = try fields.optionalText("blurhash") {
            preview = ImagePreview(blurhash: blurhash, dominantColor: try fields.optionalText("dominantColor"))
            guard preview != nil else { throw RecordProblem("blurhash is malformed") }
        }
        let digest = try fields.digest("sha256")
        let frames = try fields.integer("frames", in: 0...(1 << 30))
        let sourceFrames = try fields.optionalInteger("sourceFrames", in: 0...(1 << 30))
        // Archives of earlier versions have the kept frames of a cut animation as its frames.
        let keptFrames =
            fields.value("keptFrames") == nil
            ? sourceFrames.map { _ in frames } : try fields.integer("keptFrames", in: 0...(1 << 30))
        let info = RenditionInfo(
            kind: kind, type: type, byteCount: try fields.integer("bytes", in: sizes),
            width: try fields.integer("width", in: sides), height: try fields.integer("height", in: sides),
            frames: frames, keptFrames: keptFrames, sourceFrames: sourceFrames,
            duration: try fields.optionalInteger("durationMs", in: 0...(1 << 40)).map { .milliseconds($0) },
            streams: StreamFacts(fields.value("streams")), preview: preview)
        return StoredAsset(info: info, sha256: digest, path: AppGroupContainer.path(of: digest, type))
    }

    /// Returns a record with the members of the renditions. The record of an intact image has neither `damage` nor
    /// `source`, as in archives of earlier versions.
    func adding(to record: JSONObject) -> JSONValue {
        var record = record
        record.append("sourceType", .string(sourceType))
        record.append("sourceBytes", .number(JSONNumber(sourceByteCount)))
        record.append("files", .array(assets.map(Self.json)))
        if let damage { record.append("damage", .string(damage)) }
        if let source { record.append("source", source.json) }
        return .object(record)
    }

    private static func json(_ asset: StoredAsset) -> JSONValue {
        let info = asset.info
        var file: JSONObject = [
            "sha256": .string(asset.sha256), "kind": .string(info.kind.rawValue),
            "mimeType": .string(info.type.mimeType), "bytes": .number(JSONNumber(info.byteCount)),
            "width": .number(JSONNumber(info.width)), "height": .number(JSONNumber(info.height)),
            "frames": .number(JSONNumber(info.frames)),
            "sourceFrames": info.sourceFrames.map { .number(JSONNumber($0)) } ?? .null,
            "durationMs": info.duration.map { .number(JSONNumber(Int($0.milliseconds))) } ?? .null,
            "blurhash": info.preview.map { .string($0.blurhash) } ?? .null,
            "dominantColor": info.preview?.dominantColor.map { .string($0) } ?? .null,
        ]
        if let keptFrames = info.keptFrames { file.append("keptFrames", .number(JSONNumber(keptFrames))) }
        if let streams = info.streams { file.append("streams", streams.json) }
        return .object(file)
    }
}
