import FoundationEssentials
import HTTPCaching
import JSON
import MediaFetcher
import MediaTypes
import NotificationModel
import StoreTools

/// The report of `cache show` about one key.
struct CacheEntryReport {
    private var responses: [JSONValue] = []
    private var files: [JSONValue] = []
    private var pins: [JSONValue] = []

    var isEmpty: Bool { responses.isEmpty && files.isEmpty && pins.isEmpty }
    var json: JSONValue { ["responses": .array(responses), "files": .array(files), "pins": .array(pins)] }

    /// The entries as text: a line for each value, with lists indented. An empty line separates two entries.
    var lines: [String] {
        Array((responses + files + pins).map { Self.lines(of: $0) }.joined(separator: [""]))
    }

    private static func lines(of value: JSONValue) -> [String] {
        (value.object?.members ?? []).flatMap { member -> [String] in
            switch member.value {
            case .null: []
            case .array(let elements) where elements.isEmpty: []
            case .array(let elements): ["\(member.key):"] + elements.flatMap(item)
            case .string(let text): ["\(member.key): \(VisibleText.of(text))"]
            default: ["\(member.key): \(JSONWriter.text(of: member.value))"]
            }
        }
    }

    /// Returns the lines of an element of a list. A header field is one line.
    private static func item(_ value: JSONValue) -> [String] {
        if let name = value["name"]?.string, let text = value["value"]?.string {
            return ["  \(VisibleText.of(name)): \(VisibleText.of(text))"]
        }
        return lines(of: value).enumerated().map { index, line in (index == 0 ? "  - " : "    ") + line }
    }

    init(of key: String, in reader: StoreReader, policy: CachingPolicy, at now: Date) throws {
        if key.contains("://") {
            for response in try reader.responses(at: PurgeTarget.canonicalURL(key)) {
                responses.append(try Self.json(response, reader, policy, now))
            }
            // A pin has the URL in the form of its payload, and may exist longer than the cached response.
            pins = try reader.pins(of: key, at: now).map(Self.json)
            return
        }
        if let response = try reader.response(key) { responses.append(try Self.json(response, reader, policy, now)) }
        // The digest is the name of the file without its extension, in full or as `cache ls` shortens it.
        let digest = key.split(separator: "/").last?.prefix { $0 != "." && $0 != "…" } ?? ""
        guard digest.count >= 8 else { return }
        try reader.forEachFile { file in
            guard file.digest.hasPrefix(digest) else { return }
            var object = file.json(at: now)
            object.append("references", .array(try reader.references(to: file).map(Self.json)))
            files.append(.object(object))
        }
    }

    private static func json(
        _ entry: ListedResponse, _ reader: StoreReader, _ policy: CachingPolicy, _ now: Date
    ) throws -> JSONValue {
        var object = entry.json(at: now, policy)
        object.append(
            "fields",
            .array(
                entry.fields.map { ["name": .string($0.name), "value": .string($0.value)] }))
        object.append(
            "renditions",
            .array(
                try reader.renditions(of: entry.response.id).map { set in
                    [
                        "appGroup": .string(set.group.description), "recipe": .string(set.recipe),
                        "files": .array(
                            set.assets.map { asset in
                                [
                                    "kind": .string(asset.info.kind.rawValue), "path": .string(asset.path),
                                    "bytes": .number(JSONNumber(asset.info.byteCount)),
                                ]
                            }),
                    ]
                }))
        return .object(object)
    }

    private static func json(_ pin: ListedPin) -> JSONValue {
        [
            "pinnedUntil": .string(EntryTime.text(of: pin.until)), "appGroup": .string(pin.group.description),
            "recipe": .string(pin.recipe),
            "files": .array(
                pin.files.map { file in
                    [
                        "kind": .string(file.kind), "path": .string(file.path),
                        "bytes": .number(JSONNumber(file.bytes)),
                    ]
                }),
        ]
    }

    private static func json(_ reference: FileReference) -> JSONValue {
        [
            "message": reference.message.map { .string($0) } ?? .null,
            "providerId": reference.providerID.map { .string($0) } ?? .null,
            "response": reference.identity.map { .string($0) } ?? .null,
            "url": reference.url.map { .string($0) } ?? .null,
        ]
    }
}
