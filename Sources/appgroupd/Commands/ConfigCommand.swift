import ArgumentParser
import JSON
import NotificationModel
import ServiceConfiguration

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show what is configured, and where each value comes from.",
        discussion: """
            Flags go before the environment (APPGROUPD_…), the environment before the file, the file before the \
            defaults. Status 2, with a line for each problem, if `serve` would refuse the configuration on this machine \
            for this user: so this checks a file before a daemon reads it. Nothing is made, and a running daemon is not \
            disturbed. Secrets are not shown. docs/configuration.md describes every key.

            Examples:
              appgroupd config --config ./appgroupd.yaml
              APPGROUPD_BUDGET=2s appgroupd config --format json
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
    }

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var daemon: DaemonOptions

    @Option(help: "text or json.")
    var format = Format.text

    @Flag(help: "Print the reference of all keys, in Markdown.")
    var reference = false

    func run() throws {
        if reference { return StandardStreams.output(ConfigurationReference.markdown) }
        let configuration = try ConfigurationLoader(options, daemon.flags(options.runtime.verbosity), checks: .ofDaemon)
            .loaded()
        switch format {
        case .text:
            var table = TextTable(["KEY", "SOURCE", "VALUE"])
            for row in configuration.rows { table.add(row) }
            StandardStreams.output(table.lines(width: StandardStreams.terminalColumns).joined(separator: "\n"))
        case .json: StandardStreams.output(JSONWriter.text(of: configuration.json, pretty: true))
        }
    }
}
