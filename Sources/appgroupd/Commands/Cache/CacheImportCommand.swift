import ArgumentParser
import CommandSupport
import JSON
import LinuxIO
import MediaHeaders
import MediaTypes
import NotificationModel
import ServiceConfiguration
import StoreTools

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
        let limits = CacheImport.Limits(
            total: cache.quota + container.quota, pinned: container.quota, cache: cache)
        let report: CacheImport.Report
        do {
            try FileSystem.makeDirectories(configuration.root, durably: true)
            let reader = try FileReader(file)
            report = try await CacheImport(root: configuration.root, limits: limits, isType: Self.isType)
                .run(reading: { try reader.next() })
        } catch let error as ArchiveError {
            throw CommandFailure(.failed, "\(file): \(error); nothing is imported")
        } catch { throw CommandFailure(store: error) }
        StandardStreams.output(options.json ? JSONWriter.text(of: Self.json(report)) : Self.text(of: report))
        guard report.refused == 0, report.refusedPins == 0, report.removedPins == 0 else {
            throw CommandFailure(.failed)
        }
    }

    /// A function that returns whether a file with these first bytes has the type of a rendition.
    private static let isType: @Sendable (MediaFormat, [UInt8]) -> Bool = { type, bytes in
        MediaSignature.of(bytes.span) == type
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
            "responses": .number(JSONNumber(report.responses)), "renditions": .number(JSONNumber(report.renditions)),
            "pins": .number(JSONNumber(report.pins)), "expiredPins": .number(JSONNumber(report.expiredPins)),
            "refusedPins": .number(JSONNumber(report.refusedPins)),
            "removedPins": .number(JSONNumber(report.removedPins)),
            "bytes": .number(JSONNumber(report.bytes)), "present": .number(JSONNumber(report.present)),
            "refused": .number(JSONNumber(report.refused)),
        ]
    }
}
