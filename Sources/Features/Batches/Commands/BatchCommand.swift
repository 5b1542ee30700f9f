import ArgumentParser
import Base
import FeatureKit
import HTTPAPI
import LinuxIO
import NotificationModel

/// The command that sends a batch to a running daemon.
struct BatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Send a file with one request in each line to a running daemon.",
        discussion: """
            Each line of FILE is a payload or an envelope. If the first line is {"template": ENVELOPE}, each further \
            line is a recipient: {"id": …, "recipient": …, "labels": …, "locale": …, "profile": …, "payload": …}, \
            in which only the id is required, and payload is a merge patch (RFC 7396) for the payload of the template.

            The result of each line goes to standard output when it is complete, with the number of its line. The last \
            line is the summary. Requests with an id continue if the command is interrupted, and the same file sent \
            again gets their results.

            With --async, the daemon stores the batch first, and the command prints its state. Later, --state, \
            --results, --cancel and --remove take the id of the batch.

            With --dry-run, nothing is sent to any receiver, and the output has the findings of each line and a plan: \
            the media, the renditions, and the predicted time.

            Status 1: a line has an error, or the batch is incomplete.

            Examples:
              appgroupd batch --root ./var campaign.ndjson > results.ndjson
              appgroupd batch --root ./var --dry-run lint campaign.ndjson
              appgroupd batch --root ./var --async --id summer campaign.ndjson
              appgroupd batch --root ./var --results summer
            """)

    @Argument(help: "The file with the lines. - is standard input.")
    var file: String?

    @Option(help: "The app group of lines that name none.")
    var group: String?

    @Flag(name: .customLong("async"), help: "Store the batch, and do not wait for its results.")
    var isAsync = false

    @Option(help: "The id of the stored batch. A batch with the same id and file is stored only once.")
    var id: String?

    @Option(help: "Make a plan only. lint sends nothing to any server, and fetch prepares the media.")
    var dryRun: DryRun?

    @Option(help: ArgumentHelp("Print the state of a stored batch.", valueName: "id"))
    var state: String?

    @Option(help: ArgumentHelp("Print the results of a stored batch that exist already.", valueName: "id"))
    var results: String?

    @Option(help: ArgumentHelp("Leave out this number of results.", valueName: "number"))
    var after: Int?

    @Option(help: ArgumentHelp("Cancel the requests of a stored batch that are not emitted yet.", valueName: "id"))
    var cancel: String?

    @Option(help: ArgumentHelp("Remove a stored batch with its results. If it runs, cancel it first.", valueName: "id"))
    var remove: String?

    @OptionGroup var query: DaemonQuery

    func validate() throws {
        guard [file, state, results, cancel, remove].count(where: { $0 != nil }) == 1 else {
            throw ValidationError("name one of these: FILE, --state, --results, --cancel or --remove.")
        }
        guard id == nil || isAsync else { throw ValidationError("--id names a stored batch: add --async.") }
        guard dryRun == nil || !isAsync else { throw ValidationError("--dry-run prints its plan: leave out --async.") }
        guard after == nil || results != nil else { throw ValidationError("--after needs --results.") }
    }

    func run() async throws {
        let client = try query.client()
        if let file { return isAsync ? try await store(file, by: client) : try await send(file, by: client) }
        if let target = cancel.map(Self.target) ?? remove.map({ Self.target($0) + "/results" }) {
            _ = try await client.ask("DELETE", target, within: .seconds(3_600)).expecting(204)
            return
        }
        if let state {
            return StandardStreams.output(try await client.ask("GET", Self.target(state)).expecting(200).text)
        }
        let target = Self.target(results ?? "") + "/results" + (after.map { "?after=\($0)" } ?? "")
        try await Self.reporting { try await client.forEachLine(of: target) { StandardStreams.output($0) } }
    }

    private static func target(_ id: String) -> String { "/v1/batches/\(PercentEncoding.text(of: id))" }

    /// The target of a batch with its parameters.
    private var target: String {
        let parameters = [group.map { ("group", $0) }, dryRun.map { ("dry-run", $0.rawValue) }].compactMap(\.self)
        let query = parameters.map { "\($0.0)=\(PercentEncoding.text(of: $0.1))" }.joined(separator: "&")
        return "/v1/notifications:batch" + (query.isEmpty ? "" : "?\(query)")
    }

    private static let headers = ["content-type": "application/x-ndjson"]

    /// Sends a file, and prints the results while they arrive.
    private func send(_ file: String, by client: DaemonClient) async throws {
        let piece = try Self.pieces(of: file)
        let progress = Guarded(BatchProgress())
        try await Self.reporting {
            try await client.forEachLine("POST", target, headers: Self.headers, body: piece) { line in
                StandardStreams.output(line)
                progress.withLock { $0.take(line) }
            }
        }
        guard progress.withLock({ $0.end() }) else { throw CommandFailure(.failed) }
    }

    /// Stores a file as a batch, and prints its state.
    private func store(_ file: String, by client: DaemonClient) async throws {
        let piece = try Self.pieces(of: file)
        var headers = Self.headers
        headers["prefer"] = "respond-async"
        headers["idempotency-key"] = id
        do {
            try await client.forEachLine(
                "POST", target, headers: headers, body: piece, accepting: 202
            ) { StandardStreams.output($0) }
        } catch let error as DaemonClientError {
            throw CommandFailure(.failed, error.problem)
        }
    }

    /// Returns a function that reads the next piece of a file.
    private static func pieces(of file: String) throws(CommandFailure) -> @Sendable () async throws -> [UInt8] {
        let source = try CommandFailure.wrapping("\(file): the reading thread cannot be started") {
            try PayloadThreads().source(of: file)
        }
        return {
            do throws(SystemError) { return try await source.next() } catch {
                throw CommandFailure(.failed, "\(file): \(error.readingProblem)")
            }
        }
    }

    /// Calls a function, and reports the errors of the client and of the file as those of the command.
    private static func reporting(_ body: () async throws -> Void) async throws {
        do { try await body() } catch let error as DaemonClientError {
            throw CommandFailure(.failed, error.problem)
        }
    }
}

extension DryRun: ExpressibleByArgument {}
