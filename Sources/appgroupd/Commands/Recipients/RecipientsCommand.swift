import ArgumentParser
import CommandSupport
import HTTPAPI
import JSON

/// The commands for the stored receivers of a running daemon.
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
