import ArgumentParser
import Base
import FeatureKit
import FoundationEssentials
import Glibc
import HTTPAPI
import LinuxIO
import NotificationModel
import ServiceConfiguration

struct SupportBundleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "support-bundle",
        abstract: "Write one file for a bug report, without secrets and texts.",
        discussion: """
            The file is a tar archive in the format of gzip. It has the configuration with the source of each value, the \
            findings of doctor, the state, the hosts and the metrics of the daemon, and the ten slowest and the ten failed \
            requests of the last hour with the shapes of their payloads. It has the last lines of log.file, or of the file \
            that --log names.

            Texts, titles, recipients, identifiers, tokens, and the paths and queries of URLs are left out. Hosts stay. \
            Look at the file before you send it: tar xzf FILE.

            The command also works if no daemon runs. The file then has the reason in place of the daemon's reports.

            Status 1: the file cannot be written, or exists already.

            Examples:
              appgroupd support-bundle --root ./var
              appgroupd support-bundle --root ./var --log daemon.log report.tar.gz
            """)

    @Argument(help: "The file. Default: appgroupd-support-TIME.tar.gz in the working directory.")
    var file: String?

    @Option(
        help: ArgumentHelp("A file with the log of the daemon. Default: that of log.file.", valueName: "file"))
    var log: String?

    @OptionGroup var options: RuntimeOptions
    @OptionGroup var verbosity: VerbosityOptions
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        let configuration = try ConfigurationLoader(
            options, profile.flags + daemon.flags(verbosity), checks: []
        ).loaded()
        let now = Date()
        let time = InternetDate.text(now).prefix(19).filter { $0 != "-" && $0 != ":" }
        let path = file ?? "appgroupd-support-\(time).tar.gz"
        let bundle = await SupportBundle.collect(
            configuration, from: DaemonClient(socketPath: configuration.socket), logFile: log, at: now)
        let bytes = try bundle.archive()
        do throws(SystemError) { try FileSystem.create(path, with: bytes) } catch {
            let remedy = error.isNameTaken ? ": name another file" : ""
            throw CommandFailure(.failed, "\(path) cannot be written: \(error.reason)\(remedy)")
        }
        for (name, text) in bundle.files { StandardStreams.detail("\(name): \(HumanText.bytes(text.utf8.count))") }
        StandardStreams.output(
            "\(path): \(HumanText.counted(bundle.files.count, "file")), \(HumanText.bytes(bytes.count))")
    }
}
