import ArgumentParser
import FeatureKit
import ServiceConfiguration

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check this machine, and say how to fix each problem.",
        discussion: """
            `doctor` checks the libraries, the worker and its sandbox, the kernel, the root, name resolution, \
            the daemon's socket, certificates, the egress proxy and limits. Nothing is fetched but one rendition through \
            `publicURL`, if one is configured. Each name server is asked for one name that does not exist, and the proxy \
            for tunnels to a name that does not exist and to an address that no host has. \
            Small files are written to the root and removed again. A running daemon is not disturbed.

            Status 0: no check failed; there may be warnings. Status 1: a check failed.

            Examples:
              appgroupd doctor --root ./var
              appgroupd doctor --format json | jq '.checks[] | select(.status != "ok")'
            """)

    @OptionGroup var options: RuntimeOptions
    @OptionGroup var verbosity: VerbosityOptions
    @OptionGroup var profile: ProfileOptions

    @Option(help: "The format of the output.")
    var format = OutputFormat.text

    func run() async throws {
        let configuration = try ConfigurationLoader(options, profile.flags, checks: []).configuration()
        let report = try await Doctor.examine(configuration)
        switch format {
        case .json: StandardStreams.output(report.json)
        case .text:
            let lines = report.lines(width: StandardStreams.terminalColumns, isColored: StandardStreams.isColored)
            for line in lines { StandardStreams.output(line) }
        }
        guard !report.hasFailure else { throw CommandFailure(.failed) }
    }
}
