import ArgumentParser
import Base
import FeatureKit
import Glibc
import LinuxIO
import MediaHeaders
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
        let report = try await options.using {
            try CacheExport(root: configuration.root, groups: groups.isEmpty ? nil : groups).write(to: STDOUT_FILENO)
        }
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
            "responses": .number(report.responses), "renditions": .number(report.renditions),
            "pins": .number(report.pins), "bytes": .number(report.bytes), "skipped": .number(report.skipped),
        ]
    }
}

struct CacheImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Store the content of an archive from `cache export` in a root.",
        discussion: """
            The whole archive is read and checked before anything is stored. An archive that is truncated, or that \
            `cache export` did not write, is refused. Responses that the cache already has stay as they are.

            `import` cannot check whether the body of a response really came from the response's URL. Import only \
            archives from machines that you trust.

            Status 1: the archive is refused, or there is no room for some of its content.

            Examples:
              appgroupd cache import --root ./var warm.tar
              ssh other appgroupd cache export | appgroupd cache import --root ./var
            """)

    @Argument(help: "The archive file; - is standard input.")
    var file = "-"

    @OptionGroup var options: CacheOptions

    func run() async throws {
        let configuration = try options.query.configuration()
        guard configuration.fetch.cache.quota > 0 else {
            throw CommandFailure(
                .usage, "fetch.cacheQuota is 0: the HTTP cache stores nothing, so nothing can be imported")
        }
        let (cache, container) = (configuration.fetch.cache, configuration.media.container)
        let limits = CacheImport.Limits(total: cache.quota + container.quota, pinned: container.quota, cache: cache)
        let report = try await options.using {
            do {
                try FileSystem.makeDirectories(configuration.root, durably: true)
                let reader = try FileReader(file)
                let archive = CacheImport(root: configuration.root, limits: limits) { type, bytes in
                    MediaSignature.of(bytes.span) == type
                }
                return try await archive.run(reading: { try reader.next() })
            } catch let error as ArchiveError {
                throw CommandFailure(.failed, "\(file): \(error); nothing is imported")
            }
        }
        options.print(Self.json(report), or: Self.text(of: report))
        guard report.refused == 0, report.refusedPins == 0, report.removedPins == 0 else {
            throw CommandFailure(.failed)
        }
    }

    private static func text(of report: CacheImport.Report) -> String {
        var text = """
            imported \(HumanText.counted(report.responses, "response")) and \
            \(HumanText.counted(report.renditions, "set")) of renditions (\(HumanText.bytes(report.bytes)))
            """
        if report.pins > 0 { text += ", \(HumanText.counted(report.pins, "pin"))" }
        if report.expiredPins > 0 { text += "; \(HumanText.counted(report.expiredPins, "pin")) had ended" }
        if report.refusedPins > 0 {
            text += "; media.quota has no room for \(HumanText.counted(report.refusedPins, "pin"))"
        }
        if report.removedPins > 0 {
            text += "; the files of \(HumanText.counted(report.removedPins, "pin")) were removed during the import"
        }
        if report.present > 0 { text += "; \(HumanText.counted(report.present, "response")) were there already" }
        if report.refused > 0 { text += "; the cache did not take \(report.refused)" }
        return text
    }

    private static func json(_ report: CacheImport.Report) -> JSONValue {
        [
            "responses": .number(report.responses), "renditions": .number(report.renditions),
            "pins": .number(report.pins), "expiredPins": .number(report.expiredPins),
            "refusedPins": .number(report.refusedPins), "removedPins": .number(report.removedPins),
            "bytes": .number(report.bytes), "present": .number(report.present), "refused": .number(report.refused),
        ]
    }
}
