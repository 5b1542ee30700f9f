import ArgumentParser
import FeatureKit

/// The command line of appgroupd: one subcommand for the daemon, and one for each other task.
///
/// This target creates the parts of all other targets and connects them (`Composition/`). A command receives flags,
/// environment variables, the configuration file, payload files and standard input. It writes its results to standard
/// output, and everything else to standard error. `ExitStatus` lists the exit statuses.
///
/// A command with a wrong flag or an invalid configuration ends with status 2 before it starts to work. The daemon also
/// refuses a root that another daemon has locked.
///
/// Commands are asynchronous functions on Swift's cooperative threads. Work that blocks runs on threads that a part
/// owns, or in worker processes. The command that has created a part also shuts it down.
///
/// SIGINT and SIGTERM end a command. `serve`, `process`, `warm`, `lab serve` and `lab proxy` wait for the first signal
/// (`TerminationSignal`), and then finish or cancel the running work. A second signal ends the process at once.
///
/// To add a new command, do this: write it in `Commands/`, and name it in `subcommands`; a command of a feature is in its
/// `commands`. `order` gives it a place in the help. `HelpExampleTests` fails until the command has an example in its help.
/// A new check of `doctor` is a function in `Diagnostics/`, and a `Finding` in the list of ``Doctor``.
struct Appgroupd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "appgroupd",
        abstract: "Does on a server what an iOS Notification Service Extension does on a phone.",
        discussion: """
            appgroupd reads rich-push payloads and downloads the media that they refer to. It makes renditions that \
            the receiving platform can show, and stores them in a shared app group container. For each payload it \
            emits the processed notification content as JSON.

            Each payload has a time budget. When the budget ends, the result has the media that are ready, or the \
            fallback text.

            Results go to standard output. Everything else goes to standard error. Exit status: 0 success, 1 the work \
            failed, 2 wrong usage or configuration, 3 --require is not met, 130 warm was interrupted.
            """,
        version: Installation.description,
        subcommands: ordered(
            Features.commands + [
                ServeCommand.self, ProcessCommand.self, LintCommand.self, StatusCommand.self, TopCommand.self,
                SupportBundleCommand.self, CancelCommand.self, EventsCommand.self, CacheCommand.self,
                TokenCommand.self, ConfigCommand.self, DoctorCommand.self, LabCommand.self,
            ]))

    /// The order of the commands in the help. Other commands of features stand before `cache`.
    static let order = [
        "serve", "process", "batch", "warm", "lint", "status", "top", "support-bundle", "cancel", "events", "list",
        "erase", "recipients", "message", "callbacks", "receipts", "cache", "token", "config", "doctor", "lab",
    ]

    private static func ordered(_ commands: [any ParsableCommand.Type]) -> [any ParsableCommand.Type] {
        let other = order.firstIndex(of: "cache") ?? order.endIndex
        func place(_ command: any ParsableCommand.Type) -> Int {
            order.firstIndex(of: command.configuration.commandName ?? "") ?? other
        }
        // The sort keeps the order of commands with the same place.
        return commands.sorted { place($0) < place($1) }
    }

    @Flag(name: .customShort("V"), help: "Show the version.")
    var showsVersion = false

    func validate() throws {
        if showsVersion { throw CleanExit.message(Installation.description) }
    }

    /// The words that can follow the name of the program.
    static var commandNames: [String] {
        configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    }
}
