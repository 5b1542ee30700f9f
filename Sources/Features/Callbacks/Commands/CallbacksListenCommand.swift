import ArgumentParser
import Authentication
import FeatureKit
import FoundationEssentials
import HTTPAPI
import ServiceConfiguration

struct CallbacksListenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen", abstract: "Receive callbacks on this machine, verify and print them.",
        discussion: """
            Listens on a port of 127.0.0.1, for developers of a receiver. Each message whose signature is by a key of \
            the secret file, and whose timestamp is at most five minutes off, is printed as a line of JSON: its body, \
            as it was received. --forward sends it on to a port of this machine, with its fields, and returns the \
            status of that server. A message that is not valid gets the status 401.

            A daemon sends messages to this machine only with --allow-address 127.0.0.0/8.

            Examples:
              echo whsec_$(openssl rand -base64 32) > gateway.whsec
              chmod 600 gateway.whsec
              appgroupd callbacks listen --secret-file gateway.whsec --port 8490
              appgroupd callbacks listen --secret-file gateway.whsec --forward 3000
            """)

    @Option(help: ArgumentHelp("The file with the secrets of the target.", valueName: "file"))
    var secretFile: String

    @Option(help: ArgumentHelp("The port on which the command listens.", valueName: "port"), transform: Self.port)
    var port = 8_490

    @Option(help: ArgumentHelp("A port to which valid messages are sent on.", valueName: "port"), transform: Self.port)
    var forward: Int?

    private static func port(_ text: String) throws -> Int {
        try ValidationError.required(Int(text).flatMap { (0...65_535).contains($0) ? $0 : nil }, "0 to 65535")
    }

    func run() async throws {
        let keys = try self.keys()
        let receiver: LocalReceiver
        do { receiver = try await LocalReceiver(port: port) } catch {
            throw CommandFailure(.failed, "--port \(port): \(error): name another port")
        }
        StandardStreams.warn("http://127.0.0.1:\(receiver.port) receives callbacks; end it with ^C")
        let forward = forward.map { DaemonClient(host: "127.0.0.1", port: $0) }
        let receiving = Task { try await receiver.run { await Self.answer($0, keys, forward) } }
        let ending = Task {
            await TerminationSignal.wait()
            receiving.cancel()
        }
        defer { ending.cancel() }
        do { try await receiving.value } catch is CancellationError {} catch {
            throw CommandFailure(.failed, "\(error)")
        }
    }

    private func keys() throws(CommandFailure) -> WebhookKeys {
        let file: SecretFile
        do throws(SecretFile.Refusal) { file = try SecretFile.read(at: secretFile) } catch {
            throw CommandFailure(.usage, "--secret-file: \(error.message)")
        }
        do throws(UnusableKeys) { return try WebhookKeys(file.secret.value) } catch {
            throw CommandFailure(.usage, "--secret-file: \(secretFile) \(error.reason)")
        }
    }

    private static func answer(
        _ request: LocalReceiver.Request, _ keys: WebhookKeys, _ forward: DaemonClient?
    ) async -> LocalReceiver.Response {
        let names = ["webhook-id", "webhook-timestamp", "webhook-signature"]
        do throws(WebhookKeys.Refusal) {
            try keys.check(
                request.body, id: request.headers[names[0]], timestamp: request.headers[names[1]],
                signatures: request.headers[names[2]], at: Date())
        } catch {
            StandardStreams.warn("refused: \(error.rawValue)")
            return .init(401, error.rawValue + "\n")
        }
        StandardStreams.output(String(decoding: request.body, as: UTF8.self))
        guard let forward else { return .init(200) }
        var headers = ["content-type": "application/json"]
        for name in names { headers[name] = request.headers[name] }
        do {
            let answer = try await forward.request(request.method, request.target, headers: headers, body: request.body)
            return .init(answer.status)
        } catch {
            StandardStreams.warn("not forwarded: \(error)")
            return .init(502, "not forwarded\n")
        }
    }
}
