import ArgumentParser

struct Appgroupd: AsyncParsableCommand {
    static let version = "0.1.0"

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
        version: version,
        subcommands: [
            ServeCommand.self, ProcessCommand.self, WarmCommand.self, LintCommand.self, StatusCommand.self,
            CancelCommand.self, EventsCommand.self, CacheCommand.self, ConfigCommand.self, DoctorCommand.self,
            LabCommand.self,
        ])

    @Flag(name: .customShort("V"), help: "Show the version.")
    var showsVersion = false

    func validate() throws {
        if showsVersion { throw CleanExit.message(Self.version) }
    }

    /// What may follow the program's name.
    static var commandNames: [String] {
        configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    }
}
