package import ArgumentParser
package import Base
package import HTTPAPI
package import NotificationModel
package import ServiceConfiguration

/// The flags that name the daemon to which a command sends its requests.
package struct DaemonQuery: ParsableArguments {
    @Option(help: ArgumentHelp("The directory of the app group containers.", valueName: "directory"))
    package var root: String?

    @Option(help: ArgumentHelp("The daemon's unix socket. Default: ROOT/appgroupd.sock.", valueName: "path"))
    package var socket: String?

    @Option(help: ArgumentHelp("The configuration file of the daemon.", valueName: "file"))
    package var config: String?

    @OptionGroup package var verbosity: VerbosityOptions

    package init() {}

    /// Returns a client for the socket of the daemon. Throws a failure with status 2 if the configuration is invalid.
    package func client() throws(CommandFailure) -> DaemonClient {
        DaemonClient(socketPath: try configuration().socket)
    }

    /// Returns the configuration with which the daemon is found. Throws a failure with status 2 if it is invalid.
    package func configuration() throws(CommandFailure) -> Configuration {
        let flags = [root.map { FlagValue("--root", $0) }, socket.map { FlagValue("--socket", $0) }]
        return try ConfigurationLoader(flags.compactMap(\.self), file: config).configuration()
    }

    /// Returns the target of an HTTP request: a path with the id of a request, a suffix, and the group in the query.
    package static func target(_ path: String, _ id: String?, _ suffix: String = "", group: String? = nil) -> String {
        let query = group.map { "?group=\(PercentEncoding.text(of: $0))" } ?? ""
        return path + (id.map { "/\(PercentEncoding.text(of: $0))" } ?? "") + suffix + query
    }

    /// Returns the target of an HTTP request with the parameters that have a value, in their order.
    package static func target(_ path: String, parameters: [(name: String, value: String?)]) -> String {
        let query = parameters.compactMap { name, value in value.map { "\(name)=\(PercentEncoding.text(of: $0))" } }
        return path + "?" + query.joined(separator: "&")
    }
}

extension DaemonClientError {
    /// The daemon's description of a problem, or of the connection.
    package var problem: String {
        guard case .refused(let status, let body) = self else { return "\(self)" }
        return DaemonClient.Answer(status: status, headers: [:], body: body).problem
    }
}

extension DaemonClient.Answer {
    /// The daemon's description of a problem, from the body of its response.
    package var problem: String {
        let value = try? JSONParser.value(of: body)
        let problem = value?["detail"]?.string ?? value?["title"]?.string ?? "the daemon answered with status \(status)"
        return isOfOlderDaemon(problem)
            ? "the daemon is older than this command: update and restart it. \(problem)" : problem
    }

    /// Whether the daemon does not know a path or a parameter. Each command only uses those of its own version, and no
    /// version removes one.
    private func isOfOlderDaemon(_ problem: String) -> Bool {
        status == 404 && problem.hasPrefix("There is no such path.")
            || status == 400
                && (problem.contains("This call knows ") || problem.contains("This call has no parameters."))
    }

    /// Returns this response if it has one of the statuses.
    ///
    /// - Throws: A failure with status 1 and the daemon's description of the problem.
    package func expecting(_ statuses: Int...) throws(CommandFailure) -> Self {
        guard statuses.contains(status) else { throw CommandFailure(.failed, problem) }
        return self
    }

    /// Returns the JSON of a response with the status 200.
    ///
    /// - Throws: A failure with status 1 and the daemon's description of the problem.
    package func value() throws(CommandFailure) -> JSONValue {
        let body = try expecting(200).body
        do { return try JSONParser.value(of: body) } catch {
            throw CommandFailure(.failed, "the answer of the daemon is not JSON: \(error)")
        }
    }

    /// Whether a response to `GET /v1/status`, or to `POST /v1/warm` without an item, comes from this program.
    package var isOfDaemon: Bool {
        if status == 200, body.isEmpty { return headers["content-type"] == "application/x-ndjson" }
        guard let value = try? JSONParser.value(of: body) else { return false }
        if status == 200 { return value["version"]?.string != nil && value["load"] != nil }
        return value["type"]?.string?.hasPrefix("/problems/") ?? false
    }

    /// The body without newlines at its end.
    package var text: String {
        var text = String(decoding: body, as: UTF8.self)
        while text.last?.isNewline == true { text.removeLast() }
        return text
    }
}

extension DaemonClient {
    /// Sends a request to the daemon, and returns its response.
    ///
    /// - Throws: A failure with status 1 if the daemon cannot be reached, or does not respond in time.
    package func ask(
        _ method: String, _ target: String, headers: [String: String] = [:], body: [UInt8] = [],
        within patience: Duration = Self.patience
    ) async throws -> Answer {
        try await withThrowingTaskGroup(of: Answer.self) { group in
            group.addTask {
                do { return try await request(method, target, headers: headers, body: body) } catch let error
                    as DaemonClientError
                {
                    throw CommandFailure(.failed, "\(error)")
                }
            }
            group.addTask {
                try await Task.sleep(for: patience)
                throw CommandFailure(
                    .failed, "the daemon has not answered for \(patience): check whether it is stopped")
            }
            defer { group.cancelAll() }
            guard let answer = try await group.next() else { throw CancellationError() }
            return answer
        }
    }

    /// The largest number of elements on a page of a list.
    private static let maxOnPage = 200

    /// Prints the elements of a list as lines of JSON, page after page.
    ///
    /// - Parameter member: The member of a page that has its elements.
    /// - Parameter limit: The largest number of elements; `nil` for the whole list.
    /// - Parameter target: A function that returns the target of the request for a page.
    package func printList(
        _ member: String, atMost limit: Int? = nil, _ target: (_ limit: Int, _ cursor: String?) -> String
    ) async throws {
        var (left, cursor): (Int, String?) = (limit ?? .max, nil)
        repeat {
            let page = try await ask("GET", target(min(left, Self.maxOnPage), cursor)).value()
            for element in page[member]?.array ?? [] {
                StandardStreams.output(JSONWriter.text(of: element))
                left -= 1
            }
            cursor = page["next"]?.string
        } while cursor != nil && left > 0
    }

    /// The maximum time for a response. The daemon responds to these requests at once, so a longer wait has no use.
    package static let patience: Duration = .seconds(10)
}

extension Configuration {
    /// Returns the configuration of an app group that a flag names.
    ///
    /// - Throws: A failure with status 2 if the group is not served.
    package func ofServed(_ group: AppGroupName) throws(CommandFailure) -> Configuration {
        guard groups.served.contains(group) else {
            let hint = NearestWord.nearest(to: group.description, among: groups.names).map { "did you mean \($0)?" }
            let served = ([AppGroupName.default.description] + groups.names).joined(separator: ", ")
            throw CommandFailure(
                .usage, "--group \(group): \(hint ?? "the daemon does not serve it: the key groups names \(served)")")
        }
        return of(group: group.description)
    }
}
