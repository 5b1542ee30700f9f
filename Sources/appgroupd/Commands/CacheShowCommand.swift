import AppGroupStore
import ArgumentParser
import FoundationEssentials
import HTTPCaching
import JSON
import MediaFetcher
import NotificationModel
import ServiceConfiguration

struct CacheShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what is known of a URL, a response or a file.",
        discussion: """
            KEY is a URL, the id of a response, or the digest of a file: its first 8 digits or more, or its path. Prints \
            the head of each response and the files that were made of it; of a file the messages that show it and the \
            responses that it was made from. Status 1: there is nothing.

            Examples:
              appgroupd cache show --root ./var https://cdn.example/photo.jpg
              appgroupd cache show --root ./var 3f0c9a12
            """)

    @Argument(help: ArgumentHelp("A URL, the id of a response, or the digest of a file.", valueName: "key"))
    var key: String

    @OptionGroup var options: CacheOptions

    func run() async throws {
        let configuration = try options.configuration()
        let entry: CacheEntryReport
        do {
            let reader = try StoreReader(root: configuration.root)
            entry = try CacheEntryReport(
                of: key, in: reader, policy: FetchPolicy(configuration).caching, at: Date())
        } catch { throw CommandFailure(store: error) }
        guard !entry.isEmpty else {
            throw CommandFailure(.failed, "neither the HTTP cache nor a container has '\(VisibleText.of(key))'")
        }
        StandardStreams.output(
            options.json ? JSONWriter.text(of: entry.json) : JSONWriter.text(of: entry.json, pretty: true))
    }
}

/// The report of `cache show` about a key.
struct CacheEntryReport {
    private var responses: [JSONValue] = []
    private var files: [JSONValue] = []

    var isEmpty: Bool { responses.isEmpty && files.isEmpty }
    var json: JSONValue { ["responses": .array(responses), "files": .array(files)] }

    init(of key: String, in reader: StoreReader, policy: CachingPolicy, at now: Date) throws {
        if key.contains("://") {
            for response in try reader.responses(at: PurgeTarget.canonicalURL(key)) {
                responses.append(try Self.json(response, reader, policy, now))
            }
            return
        }
        if let response = try reader.response(key) { responses.append(try Self.json(response, reader, policy, now)) }
        // The name of a path, without its extension.
        let digest = key.split(separator: "/").last?.prefix { $0 != "." } ?? ""
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

    private static func json(_ reference: FileReference) -> JSONValue {
        [
            "message": reference.message.map { .string($0) } ?? .null,
            "providerId": reference.providerID.map { .string($0) } ?? .null,
            "response": reference.identity.map { .string($0) } ?? .null,
            "url": reference.url.map { .string($0) } ?? .null,
        ]
    }
}
