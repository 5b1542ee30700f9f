import ArgumentParser
import Glibc
import MediaFetcher
import Sandbox
import ServiceConfiguration

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Say what works on this machine and what does not, and how to mend it.",
        discussion: """
            Looks at the libraries, the worker and its sandbox, the root folder, names and certificates, and limits. Nothing \
            is fetched; the name servers are asked for one name, which is nobody's. A running daemon is not disturbed. In the root folder small files \
            are made and removed again.

            Status 0: nothing failed; there may be warnings. Status 1: something failed.

            Examples:
              appgroupd doctor --root ./var
              appgroupd doctor --format json | jq '.checks[] | select(.status != "ok")'
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
    }

    @OptionGroup var options: ConfigurationOptions

    @Option(help: "How to print: text, json.")
    var format = Format.text

    func run() async throws {
        let configuration = try ConfigurationLoader(options, checks: []).configuration()
        let findings = try await Doctor.examine(
            Doctor.checks(
                root: configuration.root, worker: try WorkerOptions(configuration),
                names: FetchPolicy(configuration).resolver,
                caFile: configuration.fetch.caFile,
                hostFiles: configuration.fetch.hosts.values.compactMap(\.caFile).sorted()))
        switch format {
        case .json: StandardStreams.output(DoctorReport(findings: findings).json)
        case .text:
            let lines = DoctorReport(findings: findings).lines(
                width: StandardStreams.terminalColumns, isColored: StandardStreams.isColored)
            for line in lines { StandardStreams.output(line) }
        }
        guard !findings.contains(where: { $0.status == .failed }) else { throw CommandFailure(.failed) }
    }
}
