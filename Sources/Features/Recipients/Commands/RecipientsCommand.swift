import ArgumentParser
import Base
import FeatureKit
import HTTPAPI
import NotificationModel

/// The commands for the stored recipients of a running daemon.
struct RecipientsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recipients",
        abstract: "Read and change the stored permissions of receivers.",
        discussion: """
            A running daemon stores the permissions, the language, the names and the labels of receivers. The \
            permissions apply to each request whose recipient, or whose device token, is a name of the receiver, also to \
            requests that are queued already.

            A name is any text of 1 to 256 characters: a user id, a device token, an e-mail address. Each name of a \
            receiver finds it.

            Examples:
              appgroupd recipients set --root ./var anna --permission service=false
              appgroupd recipients set --root ./var anna --name anna@example.com
              appgroupd recipients get --root ./var anna@example.com
              appgroupd recipients import --root ./var opt-outs.ndjson
              appgroupd recipients rm --root ./var anna
            """,
        subcommands: [
            RecipientsGetCommand.self, RecipientsSetCommand.self, RecipientsRemoveCommand.self,
            RecipientsImportCommand.self, RecipientsExportCommand.self,
        ])
}

struct RecipientsGetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Print a receiver as JSON.",
        discussion: """
            Status 1: no receiver of the group has the name.

            Example:
              appgroupd recipients get --root ./var anna
            """)

    @Argument(help: "A name of the receiver.")
    var name: String

    @OptionGroup var target: RecipientTarget

    func run() async throws {
        StandardStreams.output(try await target.ask("GET", name).expecting(200).text)
    }
}

struct RecipientsRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Remove a receiver with all of its names.",
        discussion: """
            Status 1: no receiver of the group has the name.

            Example:
              appgroupd recipients rm --root ./var anna
            """)

    @Argument(help: "A name of the receiver.")
    var name: String

    @OptionGroup var target: RecipientTarget

    func run() async throws {
        _ = try await target.ask("DELETE", name).expecting(204)
    }
}

/// The flags that name the daemon and the app group of a recipient.
struct RecipientTarget: ParsableArguments {
    @Option(help: "The app group. Default: group.default.", transform: RequestOptions.group)
    var group: AppGroupName?

    @OptionGroup var query: DaemonQuery

    /// Sends a request about a recipient, and returns its response.
    ///
    /// - Throws: A failure with status 2 if the name cannot be the name of a recipient.
    func ask(
        _ method: String, _ name: String, body: [UInt8] = [], headers: [String: String] = [:]
    ) async throws -> DaemonClient.Answer {
        try await query.client().ask(method, try path(of: name), headers: headers, body: body)
    }

    /// Returns the target of a request about a recipient: its path, with a suffix, and the group in the query.
    ///
    /// - Throws: A failure with status 2 if the name cannot be the name of a recipient.
    func path(of name: String, _ suffix: String = "") throws(CommandFailure) -> String {
        guard RecipientName.parse(name) != nil else {
            throw CommandFailure(
                .usage,
                "'\(VisibleText.short(name, most: 64))' is not a name: write 1 to \(RecipientName.maxScalars) characters without controls"
            )
        }
        return DaemonQuery.target("/v1/recipients", name, suffix, group: group?.description)
    }
}
