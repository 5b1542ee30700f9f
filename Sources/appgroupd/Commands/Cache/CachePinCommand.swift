import AppGroupStore
import ArgumentParser
import Base
import FeatureKit
import FoundationEssentials
import HTTPCaching
import MediaFetcher
import NotificationModel
import ServiceConfiguration
import StoreTools

struct CachePinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin",
        abstract: "Keep the renditions of a URL ready until a date.",
        discussion: """
            Until the date, notifications get the renditions without a request to the origin, and the renditions are \
            not evicted. `pin` does not make renditions; use `warm --keep` to make and keep them. A running daemon \
            applies a pin within a second. If the URL is pinned already, the new date may be earlier or later.

            Status 1: there are no renditions of the URL, or the renditions do not fit into media.quota.

            Examples:
              appgroupd cache pin --root ./var --keep 14d https://cdn.example/photo.jpg
              appgroupd cache unpin --root ./var https://cdn.example/photo.jpg
            """)

    @Argument(help: "The URL, exactly as in the payloads.")
    var url: String

    @Option(
        help: ArgumentHelp(
            "Keep the renditions for a duration, such as 14d, or until a date, such as 2026-01-31.",
            valueName: "duration|date"))
    var keep: String

    @OptionGroup var options: CacheOptions

    func validate() throws { try KeepTime.validate(keep, at: Date()) }

    func run() async throws {
        let configuration = try options.configuration()
        let until = KeepTime.date(keep, at: Date()) ?? Date()
        let ids = try await options.using {
            let reader = try StoreReader(root: configuration.root)
            return try reader.responses(at: PurgeTarget.canonicalURL(url)).map(\.response.id)
        }
        let count = try await configuration.withStore { store throws(MediaFailure) in
            store.change(pinQuota: configuration.media.container.quota)
            return try await store.pinRenditions(ofResponses: ids, at: url, until: until)
        }
        guard count > 0 else {
            throw CommandFailure(
                .failed,
                "there are no renditions of \(VisibleText.of(url)): make them with appgroupd warm --keep \(keep)")
        }
        options.tell(count, "pinned")
    }
}

struct CacheUnpinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpin",
        abstract: "Remove the pins of a URL.",
        discussion: """
            The renditions then follow the usual rules again: the origin is asked whether they are current, and they \
            can be evicted. A running daemon applies this within a second.
            """)

    @Argument(help: "The URL, exactly as in the payloads.")
    var url: String

    @OptionGroup var options: CacheOptions

    func run() async throws {
        let configuration = try options.configuration()
        let count = try await configuration.withStore { store throws(MediaFailure) in try await store.unpin(url) }
        options.tell(count, "released")
    }
}

extension CacheOptions {
    fileprivate func tell(_ count: Int, _ word: String) {
        print([word: .number(count)], or: "\(word) \(HumanText.counted(count, "form")) of its renditions")
    }
}
