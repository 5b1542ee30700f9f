import ArgumentParser
import CommandSupport
import Glibc
import JSON
import NotificationModel
import ServiceConfiguration
import StoreTools

struct CacheExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the HTTP cache and its renditions to a tar archive, for another machine.",
        discussion: """
            The archive goes to standard output. It has the responses of the HTTP cache, the renditions that were made \
            from them, and the pins. Damaged files are left out. Keep the archive as private as the root, because it \
            can have responses that were fetched with a token. The summary goes to standard error; with --json it is \
            JSON.

            Status 1: the archive is not complete, and `import` will refuse it.

            Example:
              appgroupd cache export --root ./var > warm.tar
            """)

    @Option(help: "Export only the renditions of this app group. Repeatable.")
    var group: [String] = []

    @OptionGroup var options: CacheOptions

    func run() async throws {
        let configuration = try options.configuration()
        guard !StandardStreams.isTerminal else {
            throw CommandFailure(.usage, "cache export writes an archive: redirect it to a file, as in > warm.tar")
        }
        let groups = try group.map { name throws(CommandFailure) in
            guard let group = AppGroupName(name) else {
                throw CommandFailure(.usage, "--group \(name): this is not the name of an app group")
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
        let skipped = report.skipped > 0 ? "; left out \(report.skipped) that are damaged or incomplete" : ""
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
