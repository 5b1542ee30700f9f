import ArgumentParser
import Base
import FeatureKit
package import FoundationEssentials
import HTTPAPI
import NotificationModel

/// The commands for the receipts of a running daemon.
struct ReceiptsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipts",
        abstract: "Look at the receipts of devices, and find notifications without one.",
        discussion: """
            Devices report delivered, clicked and other events by POST /v1/receipts. The daemon stores them, and passes \
            them on to the servers of sendios.baseURL and comapi.baseURL.

            Examples:
              appgroupd receipts missing --root ./var --since 1h
              appgroupd receipts log --root ./var msg-1
            """,
        subcommands: [ReceiptsMissingCommand.self, ReceiptsLogCommand.self])
}

struct ReceiptsMissingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "missing", abstract: "List emitted notifications that no device has reported.",
        discussion: """
            Prints a line of JSON for each shown notification that was emitted since then and has no receipt of the \
            event, the newest first.

            Status 1: the daemon cannot be reached, or cannot read its lists.

            Example:
              appgroupd receipts missing --root ./var --since 1h --event delivered
            """)

    @Option(
        help: ArgumentHelp("The time, or the duration until now, such as 1h.", valueName: "time|duration"),
        transform: Date.since)
    var since: Date

    @Option(help: "The event: \(Receipt.Event.allCases.map(\.rawValue).joined(separator: ", ")).")
    var event = Receipt.Event.delivered.rawValue

    @Option(help: "Only notifications to this receiver, by one of its names.")
    var recipient: String?

    @Option(help: "The app group. Default: group.default.", transform: RequestOptions.group)
    var group: AppGroupName?

    @OptionGroup var query: DaemonQuery

    func run() async throws {
        try await query.client().printList("notifications") { limit, cursor in
            DaemonQuery.target(
                "/v1/notifications",
                parameters: [
                    ("group", group?.description), ("recipient", recipient), ("missing", event),
                    ("from", InternetDate.text(since)), ("limit", "\(limit)"), ("cursor", cursor),
                ])
        }
    }
}

struct ReceiptsLogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Print what happened to a notification after its emission.",
        discussion: """
            Prints a line for each step with its time: the emission, the receipts of devices, and the receipts that \
            were passed on.

            Status 1: the lists have no notification with this id.

            Example:
              appgroupd receipts log --root ./var msg-1
            """)

    @Argument(help: "The id of the request.")
    var id: String

    @Option(help: "The app group. Default: group.default.", transform: RequestOptions.group)
    var group: AppGroupName?

    @OptionGroup var query: DaemonQuery

    func run() async throws {
        let client = try query.client()
        let listed = try await page(
            client, "/v1/notifications", [("group", group?.description), ("id", id), ("limit", "1")], "notifications")
        guard let notification = listed.first else {
            throw CommandFailure(.failed, "the lists have no notification with the id \(id)")
        }
        let sent = try await page(client, "/v1/callbacks", [("notification", id), ("limit", "200")], "callbacks")
        var steps = [(notification["emittedAt"]?.string ?? "", "emitted \(notification["outcome"]?.string ?? "")")]
        for member in notification["receipts"]?.object?.members ?? [] {
            steps.append((member.value.string ?? "", member.key))
        }
        let own = notification["appGroup"]
        for message in sent where message["appGroup"] == own && message["type"]?.string?.hasPrefix("receipt.") == true {
            let name = message["type"]?.string?.dropFirst("receipt.".count) ?? ""
            let state = message["state"]?.string == "delivered" ? "passed on" : message["state"]?.string ?? ""
            steps.append(
                (message["attemptedAt"]?.string ?? "-", "\(name) \(state) to \(message["target"]?.string ?? "")"))
        }
        var table = TextTable(["TIME", "STEP"])
        for step in steps.sorted(by: { $0.0 < $1.0 }) { table.add([step.0, step.1]) }
        for line in table.lines { StandardStreams.output(line) }
    }

    private func page(
        _ client: DaemonClient, _ path: String, _ parameters: [(name: String, value: String?)], _ member: String
    ) async throws -> [JSONValue] {
        let page = try await client.ask("GET", DaemonQuery.target(path, parameters: parameters)).value()
        return page[member]?.array ?? []
    }
}

extension Date {
    /// Reads a time, or a duration that ends now, from a flag.
    package static func since(_ text: String) throws -> Date {
        let date = DurationText.parse(text).map { Date(timeIntervalSinceNow: -$0.seconds) } ?? Timestamp.parse(text)
        return try ValidationError.required(date, "a time such as 2026-11-27T08:00:00Z, or a duration such as 2h")
    }
}
