import ArgumentParser
import Base
import FeatureKit
import HTTPAPI
import LinuxIO
import NotificationModel

struct RecipientsImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Change a receiver in each line of a file.",
        discussion: """
            Each line of FILE is a JSON object with the id of a receiver, and with the members to change: {"id": \
            "anna", "permissions": {"service": false}}. A receiver that does not exist is created. "group" names \
            another app group than --group, and "pushkeys" reports replaced and dead tokens: {"OLD": "NEW", "DEAD": \
            null}.

            Lines with errors go to standard output, with the number of the line. The last line is the summary. The \
            same file can be sent again.

            Status 1: a line has an error, or the import is incomplete.

            Example:
              appgroupd recipients import --root ./var opt-outs.ndjson
            """)

    @Argument(help: "The file with the lines. - is standard input.")
    var file: String

    @OptionGroup var target: RecipientTarget

    func run() async throws {
        let client = try target.query.client()
        let file = file
        let source = try CommandFailure.wrapping("\(file): the reading thread cannot be started") {
            try PayloadThreads().source(of: file)
        }
        let piece: @Sendable () async throws -> [UInt8] = {
            do throws(SystemError) { return try await source.next() } catch {
                throw CommandFailure(.failed, "\(file): \(error.readingProblem)")
            }
        }
        let isGood = Guarded<Bool?>(nil)
        do {
            try await client.forEachLine(
                "PATCH", DaemonQuery.target("/v1/recipients", nil, group: target.group?.description),
                headers: ["content-type": "application/x-ndjson"], body: piece
            ) { line in
                let value = try? JSONParser.value(of: Array(line.utf8))
                if let summary = value?["summary"] {
                    let isComplete = summary["complete"]?.bool == true && summary["errors"]?.integer == 0
                    isGood.withLock { $0 = isComplete }
                } else if value?["problem"] == nil {
                    return
                }
                StandardStreams.output(line)
            }
        } catch let error as DaemonClientError {
            throw CommandFailure(.failed, error.problem)
        }
        guard isGood.withLock({ $0 }) == true else { throw CommandFailure(.failed) }
    }
}

struct RecipientsExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print everything that is stored about a receiver.",
        discussion: """
            Prints a line of JSON for the receiver, for each of its notifications with the result, and for each named \
            message that contains one of its names. The last line is the summary.

            Status 1: the daemon cannot be reached, or a part of the data could not be read.

            Example:
              appgroupd recipients export --root ./var anna > anna.ndjson
            """)

    @Argument(help: "A name of the receiver.")
    var name: String

    @OptionGroup var target: RecipientTarget

    func run() async throws {
        let path = try target.path(of: name, "/export")
        let isComplete = Guarded(false)
        do {
            try await target.query.client().forEachLine(ofWhole: path) { line in
                StandardStreams.output(line)
                let summary = (try? JSONParser.value(of: Array(line.utf8)))?["summary"]
                if let summary { isComplete.withLock { $0 = summary["complete"]?.bool == true } }
            }
        } catch let error as DaemonClientError {
            throw CommandFailure(.failed, error.problem)
        }
        guard isComplete.withLock({ $0 }) else {
            throw CommandFailure(.failed, "the export is not complete: run the command again")
        }
    }
}
