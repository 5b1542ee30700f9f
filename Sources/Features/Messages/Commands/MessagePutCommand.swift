import ArgumentParser
import Base
import FeatureKit
import HTTPAPI
import LinuxIO
import NotificationModel

struct MessagePutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put", abstract: "Store a payload under a name, prepare it, and print its state.",
        discussion: """
            FILE is a payload or an envelope. The daemon prepares it for each profile, and replaces an earlier message \
            of the name.

            Status 1: the daemon refused the message, the message has another version than --if-version, or its \
            preparation failed within --wait.

            Examples:
              appgroupd message put --root ./var welcome welcome.json
              appgroupd message put --root ./var welcome - --profile ios --expires 7d
            """)

    @Argument(help: "The name of the message.")
    var name: String

    @Argument(help: "The file with the payload or the envelope. - is standard input.")
    var file: String

    @Option(
        name: .customLong("profile"),
        help: "A profile for which the message is prepared. Repeatable. Default: the profile of the envelope.")
    var profiles: [String] = []

    @Option(
        help: ArgumentHelp(
            "The life of the message, such as 7d, or its end in seconds since 1970. Default: messages.retention.",
            valueName: "time"))
    var expires: String?

    @Option(help: ArgumentHelp("The version that the message must have.", valueName: "number"))
    var ifVersion: Int?

    @Option(
        help: ArgumentHelp("The longest wait for the preparation, such as 10s.", valueName: "time"),
        transform: MessageTarget.wait)
    var wait: Duration?

    @OptionGroup var target: MessageTarget

    func run() async throws {
        var headers: [String: String] = [:]
        if let ifVersion { headers["if-match"] = "\"\(ifVersion)\"" }
        if let wait { headers["prefer"] = "wait=\(wait.seconds)" }
        let answer = try await target.ask(
            "PUT", name,
            [("profiles", profiles.isEmpty ? nil : profiles.joined(separator: ",")), ("expires", expires)],
            headers: headers, body: try await body(), waiting: wait ?? .zero)
        _ = try answer.expecting(200, 201, 202)
        StandardStreams.output(answer.text)
        let state = (try? JSONParser.value(of: answer.body))?["state"]?.string
        if state == "failed" { throw CommandFailure(.failed, "the preparation of the message failed") }
    }

    /// Reads the whole file.
    private func body() async throws -> [UInt8] {
        let source = try CommandFailure.wrapping("\(file): the reading thread cannot be started") {
            try PayloadThreads().source(of: file)
        }
        var body: [UInt8] = []
        do throws(SystemError) {
            while body.count <= PayloadFile.maxBytes {
                let piece = try await source.next()
                guard !piece.isEmpty else { return body }
                body += piece
            }
        } catch {
            throw CommandFailure(.failed, "\(file): \(error.readingProblem)")
        }
        throw CommandFailure(.failed, "\(file): is longer than \(PayloadFile.maxBytes >> 20) MiB")
    }
}
