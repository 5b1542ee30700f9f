import ArgumentParser
import CommandSupport
import HTTPAPI
import JSON
import Primitives

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
