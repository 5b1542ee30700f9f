import ArgumentParser
import Base
import FeatureKit
import HTTPAPI
import NotificationModel

/// The commands for the named messages of a running daemon.
struct MessageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "message",
        abstract: "Store messages under names, and read their prepared contents.",
        discussion: """
            A running daemon stores a payload under a name, and prepares its media for one or more profiles. An app \
            asks for the message by its name, without a push. The files of the message are kept until the message ends.

            Examples:
              appgroupd message put --root ./var welcome welcome.json
              appgroupd message get --root ./var welcome --wait 30s
              appgroupd message rm --root ./var welcome
            """,
        subcommands: [MessagePutCommand.self, MessageGetCommand.self, MessageRemoveCommand.self])
}

struct MessageGetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Print the prepared content of a message as JSON.",
        discussion: """
            Status 1: the group has no message of this name, or the message is still being prepared.

            Example:
              appgroupd message get --root ./var welcome --profile android
            """)

    @Argument(help: "The name of the message.")
    var name: String

    @Option(help: "The profile of the content. Default: the first profile of the message.")
    var profile: String?

    @Option(
        help: ArgumentHelp("The longest wait for the preparation, such as 10s.", valueName: "time"),
        transform: MessageTarget.wait)
    var wait: Duration?

    @OptionGroup var target: MessageTarget

    func run() async throws {
        let answer = try await target.ask(
            "GET", name, [("profile", profile), ("wait", wait.map { "\($0.milliseconds)ms" })],
            waiting: wait ?? .zero)
        guard answer.status == 200 else {
            throw CommandFailure(
                .failed, answer.status == 202 ? "the message is being prepared: add --wait" : answer.problem)
        }
        StandardStreams.output(answer.text)
    }
}

struct MessageRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Remove a message.",
        discussion: """
            Status 1: the group has no message of this name.

            Example:
              appgroupd message rm --root ./var welcome
            """)

    @Argument(help: "The name of the message.")
    var name: String

    @OptionGroup var target: MessageTarget

    func run() async throws {
        _ = try await target.ask("DELETE", name).expecting(204)
    }
}

/// The flags that name the daemon and the app group of a message.
struct MessageTarget: ParsableArguments {
    @Option(help: "The app group. Default: group.default.", transform: RequestOptions.group)
    var group: AppGroupName?

    @OptionGroup var query: DaemonQuery

    /// Sends a request about a message, and returns its response.
    ///
    /// - Parameter parameters: The parameters of the query. A parameter without a value is left out.
    /// - Parameter wait: The time for which the daemon may wait before it responds.
    /// - Throws: A failure with status 2 if the name cannot be the name of a message.
    func ask(
        _ method: String, _ name: String, _ parameters: [(String, String?)] = [], headers: [String: String] = [:],
        body: [UInt8] = [], waiting wait: Duration = .zero
    ) async throws -> DaemonClient.Answer {
        guard MessageName(name) != nil else {
            throw CommandFailure(
                .usage,
                "\(VisibleText.quoted(name, most: 64)) is not a name: write \(MessageName.rule)")
        }
        let known = ([("group", group?.description)] + parameters).compactMap { name, value in
            value.map { "\(name)=\(PercentEncoding.text(of: $0))" }
        }
        let query = known.isEmpty ? "" : "?" + known.joined(separator: "&")
        return try await self.query.client().ask(
            method, DaemonQuery.target("/v1/messages", name) + query, headers: headers, body: body,
            within: wait + DaemonClient.patience)
    }

    /// Returns the duration of `--wait`.
    static func wait(_ text: String) throws -> Duration {
        guard let wait = DurationText.parse(text), wait <= TimeBudget.maximum else {
            throw ValidationError("\"\(text)\" is not a time of at most an hour, such as 10s.")
        }
        return wait
    }
}
