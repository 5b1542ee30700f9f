import ArgumentParser
import Base
import FeatureKit
import FoundationEssentials
import HTTPAPI
import NotificationModel
import ServiceConfiguration

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show the configuration, and the source of each value.",
        discussion: """
            Each value comes from the first of these sources that sets it: a flag, an environment variable \
            (APPGROUPD_…), the configuration file, the default. docs/operate/configuration.md describes every key. Secrets are \
            not shown.

            Use this command to check a configuration file before a daemon reads the file. Run the command as the \
            daemon's user. If `serve` would refuse the configuration, the status is 2, and standard error has one line \
            for each problem. If the certificate of `tls` has expired or expires within 30 days, standard error has a \
            warning. Nothing is created, and a running daemon is not disturbed.

            Examples:
              appgroupd config --config ./appgroupd.yaml
              appgroupd config --group group.com.example.app
              APPGROUPD_BUDGET=2s appgroupd config --format json
            """)

    @OptionGroup var options: RuntimeOptions
    @OptionGroup var verbosity: VerbosityOptions
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var daemon: DaemonOptions

    @Option(help: "The format of the output.")
    var format = OutputFormat.text

    @Option(
        help: "Show the values for this app group, with its own settings. Default: the values for all groups.",
        transform: RequestOptions.group)
    var group: AppGroupName?

    @Flag(help: "Print the reference of all keys, in Markdown.")
    var reference = false

    func run() throws {
        if reference { return StandardStreams.output(ConfigurationReference.markdown) }
        let loaded = try ConfigurationLoader(options, profile.flags + daemon.flags(verbosity), checks: .ofDaemon)
            .loaded()
        let configuration = try group.map { group throws(CommandFailure) in try loaded.ofServed(group) } ?? loaded
        switch format {
        case .text:
            var table = TextTable(["KEY", "SOURCE", "VALUE"])
            for row in configuration.rows { table.add(row) }
            StandardStreams.output(table.lines(width: StandardStreams.terminalColumns).joined(separator: "\n"))
        case .json: StandardStreams.output(JSONWriter.text(of: configuration.json, pretty: true))
        }
        for warning in loaded.groups.warnings { StandardStreams.warn(warning) }
        if let warning = CertificateFiles(configuration.tls)?.expiryWarning(at: Date()) {
            StandardStreams.warn("tls.certificateFile: \(warning): renew the certificate, and no restart is necessary")
        }
    }
}
