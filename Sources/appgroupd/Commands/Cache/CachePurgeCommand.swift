import ArgumentParser
import Base
import FeatureKit
import HTTPAPI
import MediaFetcher
import NotificationModel
import ServiceConfiguration
import StoreTools

struct CachePurgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Remove media that must not be shown any more.",
        discussion: """
            The target is a URL, a host, or the beginning of URLs with an asterisk at its end. From the HTTP cache, \
            `purge` removes the responses of the selected URLs. From the containers, `purge` removes the files that \
            were made from these responses, even if a lease or a pin protects the files otherwise. A file that other \
            media use too is kept.

            If a daemon runs, it does the purge itself, and also removes the media from its memory. Results that were \
            emitted before the purge still have the paths of the files, but the files are gone.

            Status 1: something could not be removed.

            Examples:
              appgroupd cache purge --root ./var https://cdn.example/photo.jpg
              appgroupd cache purge --root ./var cdn.example
              appgroupd cache purge --root ./var 'https://cdn.example/users/17/*'
            """)

    @Argument(help: "A URL, a host, or the beginning of URLs with an asterisk at its end.")
    var target: String

    @OptionGroup var options: CacheOptions

    func run() async throws {
        let configuration = try options.configuration()
        let target: PurgeTarget
        do throws(MediaFailure) { target = try Self.target(self.target).canonical() } catch {
            throw CommandFailure(.usage, "'\(self.target)' cannot be purged: \(error.detail)")
        }
        let report =
            try configuration.hasDaemon
            ? await purge(target, by: DaemonClient(socketPath: configuration.socket))
            : await configuration.withStore { store throws(MediaFailure) in
                try await CachePurge.run(target, in: configuration.root, store).json
            }
        options.print(report, or: Self.text(of: report))
    }

    static func target(_ text: String) throws(MediaFailure) -> PurgeTarget {
        if text.contains("://") { return text.last == "*" ? .prefix(String(text.dropLast())) : .url(text) }
        guard !text.contains("*"), !text.contains("/") else {
            throw MediaFailure(.invalidURL, "a URL or a prefix begins with its scheme, such as https://cdn.example/")
        }
        return .host(text)
    }

    private func purge(_ target: PurgeTarget, by daemon: DaemonClient) async throws -> JSONValue {
        try await daemon.ask(
            "POST", "/v1/cache/purge", body: JSONWriter.bytes(of: target.json), within: .seconds(300)
        ).value()
    }

    private static func text(of report: JSONValue) -> String {
        func count(_ key: String) -> Int { report[key]?.integer ?? 0 }
        var text = """
            removed \(HumanText.counted(count("responses"), "response")) and \(HumanText.counted(count("files"), "file")) \
            (\(HumanText.bytes(count("bytes"))))
            """
        if count("sharedFiles") > 0 {
            text += "; \(HumanText.counted(count("sharedFiles"), "file")) that other media share stay"
        }
        return text
    }
}
