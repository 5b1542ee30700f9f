import ArgumentParser
import Base
import FeatureKit
import FoundationEssentials
import MediaFetcher
import NotificationModel
import ServiceConfiguration
import StoreTools

struct CacheLsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls",
        abstract: "List the responses of the HTTP cache and the files of the containers.",
        discussion: """
            The most recently used entries come first. `cache show` takes the id of a response, or the path of a file.

            Examples:
              appgroupd cache ls --root ./var
              appgroupd cache ls --root ./var --pinned
              appgroupd cache ls --root ./var --json --files | jq '.files[] | .path'
            """)

    @Flag(help: "List only responses.")
    var responses = false

    @Flag(help: "List only files.")
    var files = false

    @Flag(help: "List only files that are pinned.")
    var pinned = false

    @Option(help: "List only files of this app group.")
    var group: String?

    @OptionGroup var options: CacheOptions

    func validate() throws {
        if responses, files {
            throw ValidationError("--responses and --files cannot be used together: leave both out to list everything.")
        }
        if responses, pinned {
            throw ValidationError("--responses and --pinned cannot be used together: only files are pinned.")
        }
        if let group, AppGroupName(group) == nil {
            throw ValidationError(
                "--group \(group): it must be 1 to 128 letters, digits, dots and dashes, not starting with a dot, nor ending with "
                    + ".sock, .sqlite or .lock.")
        }
    }

    func run() async throws {
        let configuration = try options.configuration()
        let policy = FetchPolicy(configuration).caching
        let now = Date()
        let listsResponses = !self.files && group == nil && !pinned
        var responses: [ListedResponse] = []
        var files: [ListedFile] = []
        try await options.using {
            let reader = try StoreReader(root: configuration.root)
            if listsResponses { try reader.forEachResponse { responses.append($0) } }
            guard !self.responses else { return }
            try reader.forEachFile { file in
                let isOfGroup = group == nil || group == file.group.description
                if isOfGroup, !pinned || file.pinEnd(at: now) != nil { files.append(file) }
            }
        }
        responses.sort { $0.usedAt > $1.usedAt }
        files.sort { $0.usedAt > $1.usedAt }
        guard !options.json else {
            var object = JSONObject()
            if listsResponses {
                object.append("responses", .array(responses.map { .object($0.json(at: now, policy)) }))
            }
            if !self.responses { object.append("files", .array(files.map { .object($0.json(at: now)) })) }
            return StandardStreams.output(JSONWriter.text(of: .object(object)))
        }
        let listing = StoreListingTable(
            width: StandardStreams.terminalColumns, isColored: StandardStreams.isColored, now: now)
        let sections = [listing.lines(responses, policy), listing.lines(files)].filter { !$0.isEmpty }
        for line in sections.joined(separator: [""]) { StandardStreams.output(line) }
    }
}

struct CacheShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the entries for a URL, a response or a file.",
        discussion: """
            KEY is a URL, the id of a response, the first 8 or more digits of a file's digest, or the path of a file. \
            For each response, its headers and the files that were made from it are printed. For each file, the \
            messages that show it and the responses that it was made from are printed.

            Status 1: there is no such entry.

            Examples:
              appgroupd cache show --root ./var https://cdn.example/photo.jpg
              appgroupd cache show --root ./var 3f0c9a12
            """)

    @Argument(help: ArgumentHelp("A URL, the id of a response, or the digest or path of a file.", valueName: "key"))
    var key: String

    @OptionGroup var options: CacheOptions

    func run() async throws {
        let configuration = try options.configuration()
        let entry = try await options.using {
            let reader = try StoreReader(root: configuration.root)
            return try CacheEntryReport(of: key, in: reader, policy: FetchPolicy(configuration).caching, at: Date())
        }
        guard !entry.isEmpty else {
            throw CommandFailure(.failed, "neither the HTTP cache nor a container has '\(VisibleText.of(key))'")
        }
        options.print(entry.json, or: entry.lines.joined(separator: "\n"))
    }
}
