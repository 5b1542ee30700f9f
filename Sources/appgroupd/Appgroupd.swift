import ArgumentParser

struct Appgroupd: AsyncParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "appgroupd",
        abstract: "Does on a server what an iOS Notification Service Extension does on a phone.",
        discussion: """
            Takes rich-push payloads, downloads the media that they refer to, makes renditions that the receiving \
            platform can show, puts them into a shared app group container, and emits the processed notification \
            content: always in time. When the budget ends, what is emitted is the best that is ready, or the fallback text.

            Results go to standard output, everything else to standard error. Exit status: 0 done, 1 the work failed, \
            2 wrong usage or configuration, 3 --require not met, 130 interrupted (warm).
            """,
        version: version,
        subcommands: [
            ServeCommand.self, ProcessCommand.self, WarmCommand.self, LintCommand.self, StatusCommand.self,
            CancelCommand.self, EventsCommand.self, CacheCommand.self, ConfigCommand.self, DoctorCommand.self,
            LabCommand.self,
        ])

    @Flag(name: .customShort("V"), help: "Show the version, as --version does.")
    var showsVersion = false

    func validate() throws {
        if showsVersion { throw CleanExit.message(Self.version) }
    }

    /// What may follow the program's name.
    static var commandNames: [String] {
        configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    }
}
