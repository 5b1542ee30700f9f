import ArgumentParser
import Base
import FeatureKit
import FoundationEssentials
import HTTPAPI
import NotificationModel

/// The commands for the callbacks of a running daemon.
struct CallbacksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "callbacks",
        abstract: "Look after the messages about results that your servers get.",
        discussion: """
            A running daemon sends a signed message about each result and receipt to the servers of callbacks.targets. \
            It repeats a message that was not accepted, up to ten times within about three days. A target that answers \
            410, or that only fails for five days, is disabled.

            Examples:
              appgroupd callbacks ls --root ./var
              appgroupd callbacks ls --root ./var --target gateway --state failed
              appgroupd callbacks recover --root ./var gateway --since 2h
              appgroupd callbacks listen --secret-file gateway.whsec --forward 3000
            """,
        subcommands: [
            CallbacksListCommand.self, CallbacksShowCommand.self, CallbacksResendCommand.self,
            CallbacksRecoverCommand.self, CallbacksDisableCommand.self, CallbacksListenCommand.self,
        ])
}

struct CallbacksListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "Print the targets, or the messages to them.",
        discussion: """
            Without --target and --state, prints a line for each target: its state, its pending messages, and why it \
            is disabled. With one of them, prints a line of JSON for each message, the newest first.

            Status 1: the daemon cannot be reached.

            Examples:
              appgroupd callbacks ls --root ./var
              appgroupd callbacks ls --root ./var --state failed --limit 10
            """)

    @Option(help: "Print the messages to this target.")
    var target: String?

    @Option(help: "Print the messages in this state: pending, delivered or failed.")
    var state: String?

    @Option(help: "The largest number of messages.", transform: Self.limit)
    var limit = 100

    @Flag(help: "Print the targets as JSON too.")
    var json = false

    @OptionGroup var query: DaemonQuery

    private static func limit(_ text: String) throws -> Int {
        try ValidationError.required(Int(text).flatMap { (1...1_000_000).contains($0) ? $0 : nil }, "1 to 1000000")
    }

    func run() async throws {
        let client = try query.client()
        guard target != nil || state != nil else { return try await printTargets(client) }
        try await client.printList("callbacks", atMost: limit) { limit, cursor in
            DaemonQuery.target(
                "/v1/callbacks",
                parameters: [("target", target), ("state", state), ("limit", "\(limit)"), ("cursor", cursor)])
        }
    }

    private func printTargets(_ client: DaemonClient) async throws {
        let targets = try await client.ask("GET", "/v1/callback-targets").value()["targets"]?.array ?? []
        guard !json else {
            for target in targets { StandardStreams.output(JSONWriter.text(of: target)) }
            return
        }
        guard !targets.isEmpty else { return StandardStreams.output("callbacks.targets has no targets") }
        var table = TextTable(["TARGET", "STATE", "PENDING", "FAILING SINCE", "REASON"])
        for target in targets {
            table.add([
                target["name"]?.string ?? "", target["state"]?.string ?? "", "\(target["pending"]?.integer ?? 0)",
                target["failingSince"]?.string ?? "-", target["reason"]?.string ?? "-",
            ])
        }
        for line in table.lines { StandardStreams.output(line) }
    }
}

struct CallbacksShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print a message with its body as JSON.",
        discussion: """
            Status 1: there is no message with this id.

            Example:
              appgroupd callbacks show --root ./var msg_3b5c1b7d0c2f4a6e8d9f0a1b2c3d4e5f
            """)

    @Argument(help: "The webhook-id of the message.")
    var id: String

    @OptionGroup var query: DaemonQuery

    func run() async throws {
        let answer = try await query.client().ask("GET", DaemonQuery.target("/v1/callbacks", id))
        StandardStreams.output(try answer.expecting(200).text)
    }
}

struct CallbacksResendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resend", abstract: "Send a message again.",
        discussion: """
            The message keeps its id, so that the target can recognise it, and gets a new schedule.

            Status 1: there is no message with this id.

            Example:
              appgroupd callbacks resend --root ./var msg_3b5c1b7d0c2f4a6e8d9f0a1b2c3d4e5f
            """)

    @Argument(help: "The webhook-id of the message.")
    var id: String

    @OptionGroup var query: DaemonQuery

    func run() async throws {
        let answer = try await query.client().ask("POST", DaemonQuery.target("/v1/callbacks", id, "/resend"))
        _ = try answer.expecting(202)
    }
}

struct CallbacksRecoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover", abstract: "Enable a target, and send its failed messages again.",
        discussion: """
            The target gets its pending messages, and with --since also the messages that were created since this time \
            and have failed for the last time.

            Status 1: the configuration has no target of this name.

            Examples:
              appgroupd callbacks recover --root ./var gateway --since 2h
              appgroupd callbacks recover --root ./var gateway \\
                --since 2026-11-27T08:00:00Z
            """)

    @Argument(help: "The name of the target.")
    var target: String

    @Option(
        help: ArgumentHelp("The time, or the duration until now, such as 2h.", valueName: "time|duration"),
        transform: Date.since)
    var since: Date?

    @OptionGroup var query: DaemonQuery

    func run() async throws {
        let query = since.map { "?since=\(InternetDate.text($0))" } ?? ""
        let answer = try await self.query.client().ask(
            "POST", DaemonQuery.target("/v1/callback-targets", target, "/recover") + query)
        StandardStreams.output(try answer.expecting(200).text)
    }
}

struct CallbacksDisableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Stop the messages to a target.",
        discussion: """
            Messages are still stored, and are sent after appgroupd callbacks recover.

            Status 1: the configuration has no target of this name.

            Example:
              appgroupd callbacks disable --root ./var gateway
            """)

    @Argument(help: "The name of the target.")
    var target: String

    @OptionGroup var query: DaemonQuery

    func run() async throws {
        let answer = try await query.client().ask(
            "POST", DaemonQuery.target("/v1/callback-targets", target, "/disable"))
        _ = try answer.expecting(200)
    }
}
