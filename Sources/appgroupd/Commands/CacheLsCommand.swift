import AppGroupStore
import ArgumentParser
import FoundationEssentials
import HTTPCaching
import JSON
import MediaFetcher
import NotificationModel
import ServiceConfiguration

struct CacheLsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls",
        abstract: "List the responses of the HTTP cache and the files of the containers.",
        discussion: """
            The most recently used entries come first. `cache show` takes the id of a response, or the path of a file.

            Examples:
              appgroupd cache ls --root ./var
              appgroupd cache ls --root ./var --json --files | jq '.files[] | .path'
            """)

    @Flag(help: "List only responses.")
    var responses = false

    @Flag(help: "List only files.")
    var files = false

    @Option(help: "List only files of this app group.")
    var group: String?

    @OptionGroup var options: CacheOptions

    func validate() throws {
        if responses, files {
            throw ValidationError("--responses and --files cannot be used together: leave both out to list everything.")
        }
        if let group, AppGroupName(group) == nil {
            throw ValidationError(
                "--group \(group): it must be 1 to 128 letters, digits, dots and dashes, not starting with a dot.")
        }
    }

    func run() async throws {
        let configuration = try options.configuration()
        let policy = FetchPolicy(configuration).caching
        let now = Date()
        var responses: [ListedResponse] = []
        var files: [ListedFile] = []
        do {
            let reader = try StoreReader(root: configuration.root)
            if !self.files && group == nil { try reader.forEachResponse { responses.append($0) } }
            if !self.responses {
                try reader.forEachFile { if group == nil || group == $0.group.description { files.append($0) } }
            }
        } catch { throw CommandFailure(store: error) }
        responses.sort { $0.usedAt > $1.usedAt }
        files.sort { $0.usedAt > $1.usedAt }
        guard !options.json else {
            var object = JSONObject()
            if !self.files && group == nil {
                object.append("responses", .array(responses.map { .object($0.json(at: now, policy)) }))
            }
            if !self.responses { object.append("files", .array(files.map { .object($0.json(at: now)) })) }
            return StandardStreams.output(JSONWriter.text(of: .object(object)))
        }
        Self.print(responses, policy, at: now)
        if !responses.isEmpty, !files.isEmpty { StandardStreams.output("") }
        Self.print(files, at: now)
    }

    private static func print(_ responses: [ListedResponse], _ policy: CachingPolicy, at now: Date) {
        guard !responses.isEmpty else { return }
        var table = TextTable(["response", "status", "bytes", "type", "fresh", "url"])
        for entry in responses {
            let fresh = entry.freshSeconds(at: now, policy)
            table.add([
                entry.response.id, "\(entry.response.head.status)", HumanText.bytes(entry.bytes), entry.type ?? "-",
                fresh > 0 ? HumanText.duration(.seconds(fresh)) : "stale",
                VisibleText.of(entry.url) + (entry.hasCredentials ? " (with credentials)" : ""),
            ])
        }
        for line in table.lines { StandardStreams.output(line) }
    }

    private static func print(_ files: [ListedFile], at now: Date) {
        guard !files.isEmpty else { return }
        var table = TextTable(["group", "bytes", "type", "used", "file"])
        for file in files {
            table.add([
                file.group.description, HumanText.bytes(file.bytes), file.mimeType, EntryTime.text(of: file.usedAt),
                VisibleText.of(file.path) + (file.leasedUntil > now ? " (leased)" : ""),
            ])
        }
        for line in table.lines { StandardStreams.output(line) }
    }
}
