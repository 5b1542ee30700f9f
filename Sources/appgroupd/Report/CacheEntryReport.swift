import Base
import FoundationEssentials
import HTTPCaching
import MediaFetcher
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
        object.append("fields", .array(entry.fields.map { ["name": .string($0.name), "value": .string($0.value)] }))
        let renditions = try reader.renditions(of: entry.response.id).map { set -> JSONValue in
            let files = set.assets.map { file($0.info.kind.rawValue, $0.path, bytes: $0.info.byteCount) }
            return ["appGroup": .string(set.group.description), "recipe": .string(set.recipe), "files": .array(files)]
        }
        object.append("renditions", .array(renditions))
        return .object(object)
    }

    private static func json(_ pin: ListedPin) -> JSONValue {
        [
            "pinnedUntil": .string(EntryTime.text(of: pin.until)), "appGroup": .string(pin.group.description),
            "recipe": .string(pin.recipe),
            "files": .array(pin.files.map { file($0.kind, $0.path, bytes: $0.bytes) }),
        ]
    }

    private static func file(_ kind: String, _ path: String, bytes: Int) -> JSONValue {
        ["kind": .string(kind), "path": .string(path), "bytes": .number(bytes)]
    }

    private static func json(_ reference: FileReference) -> JSONValue {
        [
            "message": .text(reference.message), "providerId": .text(reference.providerID),
            "response": .text(reference.identity), "url": .text(reference.url),
        ]
    }
}

extension ListedResponse {
    /// Returns the time for which the response stays fresh, in whole seconds. It is negative if the response is stale.
    func freshSeconds(at now: Date, _ policy: CachingPolicy) -> Int {
        Int(max(-1e12, min(1e12, response.freshFor(from: now, policy: policy))).rounded(.down))
    }

    func json(at now: Date, _ policy: CachingPolicy) -> JSONObject {
        [
            "id": .string(response.id), "url": .string(url), "credentials": .bool(hasCredentials),
            "status": .number(response.head.status), "type": .text(type), "bytes": .number(bytes),
            "complete": .bool(response.isWhole || path == nil),
            "storedAt": .string(EntryTime.text(of: response.responseTime)),
            "usedAt": .string(EntryTime.text(of: usedAt)), "freshForSeconds": .number(freshSeconds(at: now, policy)),
            "path": .text(path),
        ]
    }
}

extension ListedFile {
    /// Returns the date at which the file's pins end; `nil` if the file has no pin, or if all its pins have ended.
    func pinEnd(at now: Date) -> Date? { pinnedUntil.flatMap { $0 > now ? $0 : nil } }

    func json(at now: Date) -> JSONObject {
        [
            "appGroup": .string(group.description), "sha256": .string(digest), "path": .string(path),
            "type": .string(mimeType), "bytes": .number(bytes), "usedAt": .string(EntryTime.text(of: usedAt)),
            "leasedUntil": leasedUntil > now ? .string(EntryTime.text(of: leasedUntil)) : .null,
            "pinnedUntil": .text(pinEnd(at: now).map(EntryTime.text)),
        ]
    }
}

/// The RFC 3339 form of an entry's time, to the second.
enum EntryTime {
    static func text(of date: Date) -> String { date.formatted(Date.ISO8601FormatStyle()) }
}
