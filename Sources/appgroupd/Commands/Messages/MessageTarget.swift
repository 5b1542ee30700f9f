import ArgumentParser
import CommandSupport
import HTTPAPI
import NotificationModel
import Primitives
import WebURL

/// The flags that name the daemon and the app group of a message.
struct MessageTarget: ParsableArguments {
    @Option(help: "The app group. Default: group.default.", transform: RequestOptions.group)
    var group: AppGroupName?

    @OptionGroup var query: DaemonQuery

    /// Sends a request about a message, and returns its response.
    ///
    /// - Parameter parameters: The parameters of the query. A parameter without a value is left out.
    /// - Parameter wait: The time for which the daemon may wait before it responds.
    /// - Throws: A failure with status 2 if the name cannot be the name of a message.
    func ask(
        _ method: String, _ name: String, _ parameters: [(String, String?)] = [], headers: [String: String] = [:],
        body: [UInt8] = [], waiting wait: Duration = .zero
    ) async throws -> DaemonClient.Answer {
        guard RequestID(name) != nil else {
            throw CommandFailure(
                .usage,
                "\(VisibleText.quoted(name, most: 64)) is not a name: write 1 to 128 letters, digits and ._-:@+=")
        }
        let known = ([("group", group?.description)] + parameters).compactMap { name, value in
            value.map { "\(name)=\(PercentEncoding.text(of: $0))" }
        }
        let query = known.isEmpty ? "" : "?" + known.joined(separator: "&")
        return try await self.query.client().ask(
            method, DaemonQuery.target("/v1/messages", name) + query, headers: headers, body: body,
            within: wait + DaemonClient.patience)
    }

    /// Returns the duration of `--wait`.
    static func wait(_ text: String) throws -> Duration {
        guard let wait = DurationText.parse(text), wait <= TimeBudget.longest else {
            throw ValidationError("\"\(text)\" is not a time of at most an hour, such as 10s.")
        }
        return wait
    }
}
