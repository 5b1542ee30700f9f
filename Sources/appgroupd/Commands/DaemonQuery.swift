import ArgumentParser
import HTTPAPI
import JSON
import NotificationModel
import ServiceConfiguration

/// Where the daemon is that a command asks, and which group is meant.
struct DaemonQuery: ParsableArguments {
    @Option(help: ArgumentHelp("The directory of the app group containers.", valueName: "directory"))
    var root: String?

    @Option(help: ArgumentHelp("The daemon's unix socket. Default: ROOT/appgroupd.sock.", valueName: "path"))
    var socket: String?

    @Option(help: ArgumentHelp("The configuration file of the daemon.", valueName: "file"))
    var config: String?

    @OptionGroup var verbosity: VerbosityOptions

    /// - Throws: with status 2 where the configuration cannot be used.
    func client() throws(CommandFailure) -> DaemonClient { DaemonClient(socketPath: try configuration().socket) }

    /// - Throws: with status 2 where the configuration cannot be used.
    func configuration() throws(CommandFailure) -> Configuration {
        let flags = [("--root", root), ("--socket", socket)].compactMap { flag, text in
            text.map { FlagValue(flag, $0) }
        }
        return try ConfigurationLoader(flags, file: config).configuration()
    }

    /// A path with its query.
    static func target(_ path: String, _ id: String?, _ suffix: String = "", group: String? = nil) -> String {
        let query = group.map { "?group=\(percentEncoded($0))" } ?? ""
        return path + (id.map { "/\(percentEncoded($0))" } ?? "") + suffix + query
    }

    /// RFC 3986 §2.3: everything but the unreserved characters.
    private static func percentEncoded(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber || "-._~".contains(character) {
                return String(character)
            }
            return "%" + String(byte, radix: 16).uppercased().leftPadded
        }.joined()
    }
}

extension String {
    fileprivate var leftPadded: String { count < 2 ? "0" + self : self }
}

extension DaemonClient.Answer {
    /// The daemon's own sentence about what is wrong.
    var problem: String {
        let value = try? JSONParser.value(of: body)
        return value?["detail"]?.string ?? value?["title"]?.string ?? "the daemon answered with status \(status)"
    }

    /// Whether an answer to `GET /v1/status` is one of this program.
    var isOfDaemon: Bool {
        guard let value = try? JSONParser.value(of: body) else { return false }
        if status == 200 { return value["version"]?.string != nil && value["load"]?.object != nil }
        return value["type"]?.string?.hasPrefix("urn:appgroupd:") ?? false
    }

    var text: String { String(decoding: body, as: UTF8.self).trimmingNewlines }
}

extension String {
    fileprivate var trimmingNewlines: String {
        var text = self
        while text.last?.isNewline == true { text.removeLast() }
        return text
    }
}

extension DaemonClient {
    /// - Throws: with status 1 where the daemon cannot be asked.
    func ask(
        _ method: String, _ target: String, body: [UInt8] = [], within patience: Duration = Self.patience
    ) async throws -> Answer {
        try await withThrowingTaskGroup(of: Answer.self) { group in
            group.addTask {
                do { return try await request(method, target, body: body) } catch let error as DaemonClientError {
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

    /// What these calls ask is answered at once, or not at all.
    static let patience: Duration = .seconds(10)
}
