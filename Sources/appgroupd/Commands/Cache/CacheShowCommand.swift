import ArgumentParser
import CommandSupport
import Composition
import FoundationEssentials
import JSON
import MediaFetcher
import NotificationModel
import ServiceConfiguration
import StoreTools

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
        let entry: CacheEntryReport
        do {
            let reader = try StoreReader(root: configuration.root)
            entry = try CacheEntryReport(
                of: key, in: reader, policy: FetchPolicy(configuration).caching, at: Date())
        } catch { throw CommandFailure(store: error) }
        guard !entry.isEmpty else {
            throw CommandFailure(.failed, "neither the HTTP cache nor a container has '\(VisibleText.of(key))'")
        }
        guard !options.json else { return StandardStreams.output(JSONWriter.text(of: entry.json)) }
        for line in entry.lines { StandardStreams.output(line) }
    }
}
