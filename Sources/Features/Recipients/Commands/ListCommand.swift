import ArgumentParser
import Base
import FeatureKit
import HTTPAPI
import NotificationModel

struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the emitted notifications of a running daemon.",
        discussion: """
            Prints a line of JSON for each notification, the newest first. The daemon lists notifications for \
            lists.retention, which is longer than it keeps their results. --content adds each result, or null if the \
            result is no longer kept. --threads prints the threads, each with its newest notification.

            Status 1: the daemon cannot be reached, or cannot read its lists.

            Examples:
              appgroupd list --root ./var --recipient anna --limit 10
              appgroupd list --root ./var --outcome fallback,partial \\
                --from 2026-11-27T08:00:00Z
              appgroupd list --root ./var --threads --recipient anna
            """)

    @Option(help: "Only notifications to this receiver, by one of its names.")
    var recipient: String?

    @Option(help: "Only notifications with this label.")
    var label: String?

    @Option(help: "Only notifications of this thread.")
    var thread: String?

    @Option(help: "Only notifications that this dialect has read.")
    var provider: String?

    @Option(help: "Only notifications with one of these outcomes, with commas.")
    var outcome: String?

    @Option(help: "Only notifications with this reason.")
    var reason: String?

    @Option(help: ArgumentHelp("Only notifications emitted at this time or later.", valueName: "time"))
    var from: String?

    @Option(help: ArgumentHelp("Only notifications emitted before this time.", valueName: "time"))
    var to: String?

    @Option(help: "The largest number of lines.", transform: Self.limit)
    var limit = 100

    @Flag(help: "Print the oldest notification first.")
    var oldestFirst = false

    @Flag(help: "Print the result of each notification too.")
    var content = false

    @Flag(help: "Print threads.")
    var threads = false

    @Option(help: "The app group. Default: group.default.", transform: RequestOptions.group)
    var group: AppGroupName?

    @OptionGroup var query: DaemonQuery

    private static func limit(_ text: String) throws -> Int {
        try ValidationError.required(Int(text).flatMap { (1...1_000_000).contains($0) ? $0 : nil }, "1 to 1000000")
    }

    func validate() throws {
        if content, threads { throw ValidationError("--content and --threads exclude each other") }
    }

    func run() async throws {
        try await query.client().printList(threads ? "threads" : "notifications", atMost: limit) { limit, cursor in
            target(limit: limit, cursor)
        }
    }

    /// Returns the target of the request for a page.
    func target(limit: Int, _ cursor: String?) -> String {
        let parameters: [(name: String, value: String?)] = [
            ("group", group?.description), ("recipient", recipient), ("label", label), ("thread", thread),
            ("provider", provider), ("outcome", outcome), ("reason", reason), ("from", from), ("to", to),
            ("order", oldestFirst ? "oldest" : nil), ("content", content ? "true" : nil), ("limit", "\(limit)"),
            ("cursor", cursor),
        ]
        return DaemonQuery.target(threads ? "/v1/threads" : "/v1/notifications", parameters: parameters)
    }
}
