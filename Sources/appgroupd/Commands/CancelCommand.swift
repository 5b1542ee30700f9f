import ArgumentParser
import HTTPAPI
import JSON
import NotificationModel

struct CancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Take a request back: it is emitted at once, as cancelled, with the fallback text.",
        discussion: """
            The ID is ours, or else the provider's own identifier of the message; that may be of several requests, and \
            all of them are taken back. Prints what was cancelled, a line each. Status 1 when there is nothing to \
            cancel, or the request has been emitted already.

            Example:
              appgroupd cancel --root ./var order-17
            """)

    @Argument(help: "Our identifier of a request, or the provider's.")
    var id: String

    @Option(help: "The app group; of the provider's identifier all groups, unless told.")
    var group: String?

    @OptionGroup var query: DaemonQuery

    func run() async throws {
        let client = try query.client()
        var problems: [String] = []
        if RequestID(id) != nil {
            let answer = try await client.ask("DELETE", DaemonQuery.target("/v1/notifications", id, group: group))
            if answer.status == 204 { return StandardStreams.output(id) }
            guard answer.status == 404 else { throw CommandFailure(.failed, answer.problem) }
            problems.append(answer.problem)
        }
        let target = DaemonQuery.target("/v1/notifications", id, group: group)
        let answer = try await client.ask("DELETE", target + (group == nil ? "?" : "&") + "by=provider")
        guard answer.status == 200 else {
            throw CommandFailure(.failed, (problems + [answer.problem]).joined(separator: " "))
        }
        for request in (try? JSONParser.value(of: answer.body))?["cancelled"]?.array ?? [] {
            StandardStreams.output(request["id"]?.string ?? "")
        }
    }
}
