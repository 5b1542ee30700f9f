import ArgumentParser
import Base
import FeatureKit
import FoundationEssentials
import HTTPAPI
import NotificationModel

struct EraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase all data about a receiver, a message, a thread or an app group.",
        discussion: """
            A running daemon cancels the requests of the target, and removes results, list entries, spooled and \
            rejected files, lines of stored batches, the stored receiver, and the media files that no other message \
            shows. The command waits until the erasure has ended, and prints its record as JSON. An erasure goes on \
            after a restart of the daemon.

            While another process reads a database of the daemon, the state is waiting-for-reader: close that process.

            Status 1: the daemon cannot be reached, or the erasure has not ended after --wait.

            Examples:
              appgroupd erase --root ./var --recipient anna --suppress
              appgroupd erase --root ./var --provider-id 8813
              appgroupd erase --root ./var --group group.old --everything
            """)

    @Option(help: "Erase a receiver with all of its names and notifications.")
    var recipient: String?

    @Flag(help: "Refuse later requests to the erased receiver.")
    var suppress = false

    @Flag(help: "Also remove requests of others whose texts only mention the name.")
    var mentions = false

    @Option(help: "Erase a request by its id.")
    var id: String?

    @Option(help: "Erase a message by the provider's id.")
    var providerId: String?

    @Option(help: "Erase a thread.")
    var thread: String?

    @Flag(help: "Erase the whole app group that --group names.")
    var everything = false

    @Option(help: "The app group. Default: group.default.", transform: RequestOptions.group)
    var group: AppGroupName?

    @Option(
        help: ArgumentHelp("The longest wait for the end, such as 0s or 10m.", valueName: "duration"),
        transform: Self.duration)
    var wait: Duration = .seconds(60)

    @OptionGroup var query: DaemonQuery

    private static func duration(_ text: String) throws -> Duration {
        try ValidationError.required(DurationText.parse(text), "a duration, such as 30s or 10m")
    }

    private var parameters: [(String, String)] {
        let values = [("recipient", recipient), ("id", id), ("providerId", providerId), ("thread", thread)]
        return values.compactMap { name, value in value.map { (name, $0) } }
            + (everything ? [("everything", "true")] : [])
    }

    func validate() throws {
        guard parameters.count == 1 else {
            throw ValidationError("name one of --recipient, --id, --provider-id, --thread and --everything")
        }
        if suppress, recipient == nil { throw ValidationError("--suppress needs --recipient") }
        if mentions, everything { throw ValidationError("--mentions needs a name, not --everything") }
        if everything, group == nil { throw ValidationError("--everything needs --group") }
    }

    /// The target of the request that stores the erasure.
    var target: String {
        let others = [
            ("suppress", suppress ? "true" : nil), ("mentions", mentions ? "true" : nil),
            ("group", group?.description),
        ]
        return DaemonQuery.target("/v1/notifications", parameters: parameters.map { ($0, $1) } + others)
    }

    func run() async throws {
        let client = try query.client()
        var answer = try await client.ask("DELETE", target)
        guard answer.status == 202, let place = answer.headers["location"] else {
            throw CommandFailure(.failed, answer.problem)
        }
        let clock = ContinuousClock()
        let end = clock.now + wait
        while Self.state(of: answer) != Erasure.State.done.rawValue, clock.now < end {
            try await clock.sleep(for: .milliseconds(100))
            answer = try await client.ask("GET", place).expecting(200)
        }
        StandardStreams.output(answer.text)
        guard Self.state(of: answer) == Erasure.State.done.rawValue else {
            throw CommandFailure(.failed, "the erasure goes on: ask for its state at \(place)")
        }
    }

    private static func state(of answer: DaemonClient.Answer) -> String? {
        (try? JSONParser.value(of: answer.body))?["state"]?.string
    }
}
