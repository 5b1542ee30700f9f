import ArgumentParser
import Base
import FeatureKit
import HTTPAPI
import NotificationModel

struct CancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Cancel a request, which is then emitted at once with its fallback text.",
        discussion: """
            ID is the id of a request. If no request has this id, ID is taken as a message id of the push provider, \
            and all requests of this message are cancelled. The id of each cancelled request is printed on a line of \
            its own.

            Status 1: there is no such request, or its result has another outcome than cancelled.

            Example:
              appgroupd cancel --root ./var order-17
            """)

    @Argument(help: "The id of a request, or the provider's id of a message.")
    var id: String

    @Option(help: "The app group. Default: group.default for the id of a request, all groups for the provider's id.")
    var group: String?

    @OptionGroup var query: DaemonQuery

    func run() async throws {
        let client = try query.client()
        let target = DaemonQuery.target("/v1/notifications", id, group: group)
        var problems: [String] = []
        if RequestID(id) != nil {
            let answer = try await client.ask("DELETE", target)
            if answer.status == 204 { return StandardStreams.output(id) }
            guard answer.status == 404 else { throw CommandFailure(.failed, answer.problem) }
            problems.append(answer.problem)
        }
        let answer = try await client.ask("DELETE", target + (group == nil ? "?" : "&") + "by=provider")
        guard answer.status == 200 else {
            throw CommandFailure(.failed, (problems + [answer.problem]).joined(separator: " "))
        }
        for request in (try? JSONParser.value(of: answer.body))?["cancelled"]?.array ?? [] {
            StandardStreams.output(request["id"]?.string ?? "")
        }
    }
}
