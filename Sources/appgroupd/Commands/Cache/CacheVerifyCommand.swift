import ArgumentParser
import Base
import FeatureKit
import LinuxIO
import NotificationModel
import ServiceConfiguration
import StoreTools

struct CacheVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Read all files of the HTTP cache and the containers, and report damage.",
        discussion: """
            `verify` compares each file with its row in the index, byte by byte. `verify` can take long, because it \
            reads all files with the lowest priority for the disk. Damage has one of these kinds: missing, truncated, \
            wrong-digest, orphan (a file without a row for more than an hour), index-mismatch, index-damaged, \
            unreadable.

            --repair removes damaged entries. When a notification needs a removed entry, the entry is fetched or made \
            again. Intact media files without a row get a row again. If a daemon runs, `verify` does not repair a \
            damaged index, because the daemon does this.

            Status 1: some damage is not repaired.

            Examples:
              appgroupd cache verify --root ./var
              appgroupd cache verify --root ./var --repair --json
            """)

    @Flag(help: "Repair the damage that is found.")
    var repair = false

    @OptionGroup var options: CacheOptions

    func run() async throws {
        let configuration = try options.configuration()
        let printsLines = !options.json
        let (root, hasDaemon) = (configuration.root, configuration.hasDaemon)
        let thread = try CommandFailure.wrapping("the thread cannot be started") {
            try EventLoop.start(name: "agd-verify")
        }
        defer { thread.shutdown() }
        let result = await Task(executorPreference: thread.tasks) { [repair] in
            let output = VerifyOutput(printsLines: printsLines)
            defer { output.clear() }
            return Result {
                try StoreInspection(
                    root: root, repairs: repair, hasDaemon: hasDaemon, tell: output.tell, progress: output.show
                ).run()
            }
        }.value
        let report = try await options.using { try result.get() }
        for note in report.notes { StandardStreams.warn(note) }
        options.print(Self.json(report), or: Self.summary(of: report))
        guard report.damages.allSatisfy({ $0.isRepaired == true }) else { throw CommandFailure(.failed) }
    }

    private static func summary(of report: InspectionReport) -> String {
        let repaired = report.damages.count { $0.isRepaired == true }
        let damages =
            report.damages.isEmpty
            ? "no damage" : "\(HumanText.counted(report.damages.count, "damage")), \(repaired) repaired"
        return """
            \(damages) in \(HumanText.counted(report.responses, "response")) and \
            \(HumanText.counted(report.files, "file")), \(HumanText.bytes(report.bytes)) read
            """
    }

    private static func json(_ report: InspectionReport) -> JSONValue {
        let damages = report.damages.map { damage -> JSONValue in
            [
                "kind": .string(damage.kind.rawValue), "path": .string(damage.path), "key": .text(damage.key),
                "detail": .string(damage.detail), "repaired": damage.isRepaired.map { .bool($0) } ?? .null,
            ]
        }
        return [
            "damages": .array(damages), "responses": .number(report.responses), "files": .number(report.files),
            "bytes": .number(report.bytes),
        ]
    }
}

/// The output of `verify`: each damage when it is found, and the progress on the last line of a terminal.
private final class VerifyOutput {
    private static let interval: Duration = .milliseconds(200)

    private let printsLines: Bool
    private let showsProgress = StatusLine.isShown
    private var status = StatusLine()
    private var nextShow = MonotonicInstant.now

    init(printsLines: Bool) { self.printsLines = printsLines }

    func tell(_ damage: StoreDamage) {
        guard printsLines else { return }
        clear()
        StandardStreams.output(Self.line(for: damage))
    }

    func show(_ report: InspectionReport) {
        guard showsProgress, .now >= nextShow else { return }
        nextShow = .now.advanced(by: Self.interval)
        let counts = "\(HumanText.counted(report.responses, "response")), \(HumanText.counted(report.files, "file"))"
        status.show("\(counts), \(HumanText.bytes(report.bytes)) read")
    }

    func clear() { status.clear() }

    private static func line(for damage: StoreDamage) -> String {
        let state = damage.isRepaired.map { $0 ? " (repaired)" : " (not repaired)" } ?? ""
        let key = damage.key.map { $0.isEmpty ? "" : " [\($0.prefix(36))]" } ?? ""
        return "\(damage.kind.rawValue): \(damage.path)\(key): \(VisibleText.of(damage.detail))\(state)"
    }
}
