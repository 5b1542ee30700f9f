import ArgumentParser
import CommandSupport
import HTTPAPI
import NotificationModel

/// The flags that name the daemon and the app group of a receiver.
struct RecipientTarget: ParsableArguments {
    @Option(help: "The app group. Default: group.default.", transform: RequestOptions.group)
    var group: AppGroupName?

    @OptionGroup var query: DaemonQuery

    /// Sends a request about a receiver, and returns its response.
    ///
    /// - Throws: A failure with status 2 if the name cannot be the name of a receiver.
    func ask(
        _ method: String, _ name: String, body: [UInt8] = [], headers: [String: String] = [:]
    ) async throws -> DaemonClient.Answer {
        try await query.client().ask(method, try path(of: name), headers: headers, body: body)
    }

    /// Returns the target of a request about a receiver: its path, with a suffix, and the group in the query.
    ///
    /// - Throws: A failure with status 2 if the name cannot be the name of a receiver.
    func path(of name: String, _ suffix: String = "") throws(CommandFailure) -> String {
        guard ReceiverName.parse(name) != nil else {
            throw CommandFailure(
                .usage,
                "'\(VisibleText.short(name, most: 64))' is not a name: write 1 to \(ReceiverName.mostScalars) characters without controls"
            )
        }
        return DaemonQuery.target("/v1/recipients", name, suffix, group: group?.description)
    }
}
