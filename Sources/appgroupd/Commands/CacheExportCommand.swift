import AppGroupStore
import ArgumentParser
import Glibc
import JSON
import LinuxIO
import NotificationModel
import ServiceConfiguration

struct CacheExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the responses and their renditions as a tar stream, for another machine.",
        discussion: """
            The archive goes to standard output. It has the responses of the HTTP cache with their bodies, and the \
            renditions that were made of them, and the pins. Keep it as private as the root: responses that a token brought are in it. \
            Damaged files are left out. With --json the summary on standard error is JSON.

            Status 1: the archive is not complete, and is refused by import.

            Example:
              appgroupd cache export --root ./var > warm.tar
            """)

    @Option(help: "Export the renditions of this app group only. Repeatable.")
    var group: [String] = []

    @OptionGroup var options: CacheOptions

    func run() async throws {
        let configuration = try options.configuration()
        guard !StandardStreams.isTerminal else {
            throw CommandFailure(.usage, "cache export writes an archive: redirect it, as in > warm.tar")
        }
        let groups = try group.map { name throws(CommandFailure) in
            guard let group = AppGroupName(name) else {
                throw CommandFailure(.usage, "--group \(name): that is no name of an app group")
            }
            return group
        }
        let report: CacheExport.Report
        do {
            report = try CacheExport(root: configuration.root, groups: groups.isEmpty ? nil : groups)
                .write(to: STDOUT_FILENO)
        } catch { throw CommandFailure(store: error) }
        StandardStreams.notice(options.json ? JSONWriter.text(of: Self.json(report)) : Self.text(of: report))
    }

    private static func text(of report: CacheExport.Report) -> String {
        let pins = report.pins > 0 ? ", \(HumanText.counted(report.pins, "pin"))" : ""
        let skipped = report.skipped > 0 ? "; left out \(report.skipped) that are damaged or not complete" : ""
        return """
            exported \(HumanText.counted(report.responses, "response")) and \
            \(HumanText.counted(report.renditions, "set")) of renditions (\(HumanText.bytes(report.bytes)))\(pins)\(skipped)
            """
    }

    private static func json(_ report: CacheExport.Report) -> JSONValue {
        [
            "responses": .number(JSONNumber(report.responses)), "renditions": .number(JSONNumber(report.renditions)),
            "pins": .number(JSONNumber(report.pins)),
            "bytes": .number(JSONNumber(report.bytes)), "skipped": .number(JSONNumber(report.skipped)),
        ]
    }
}
