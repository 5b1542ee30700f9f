import Authentication
import Base
import FoundationEssentials
import HTTPAPI
import NotificationModel
import TestSupport

/// A receiver of callbacks on this machine that verifies each message and records its id.
final class CallbackServer: Sendable {
    struct Message: Sendable, Equatable {
        let id: String
        let type: String
        let notification: String
        let isValid: Bool
        let path: String
        /// The header field and the member of `data` that lead to the call of the notification.
        let traceParent: String?
        let requestID: String?
    }

    static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    let messages = Record<Message>()
    let port: Int
    private let task: Guarded<Task<Void, any Error>?>

    /// Starts a receiver on a port of this machine.
    ///
    /// - Parameter port: The port; 0 for any free port.
    /// - Parameter answer: A function that returns the response to a message.
    static func start(
        port: Int = 0, keys: String = secret,
        _ answer: @escaping @Sendable (Message) async -> LocalReceiver.Response = { _ in .init(200) }
    ) async throws -> CallbackServer {
        let receiver = try await LocalReceiver(port: port)
        let keys = try WebhookKeys(keys)
        let server = CallbackServer(port: receiver.port)
        let task = Task { [messages = server.messages] in
            try await receiver.run { request in
                let message = Message(request, keys)
                messages.append(message)
                return await answer(message)
            }
        }
        server.task.withLock { $0 = task }
        return server
    }

    private init(port: Int) {
        self.port = port
        task = Guarded(nil)
    }

    func stop() async {
        let task = task.withLock { $0 }
        task?.cancel()
        _ = await task?.result
    }

    /// The configuration of a target whose messages this receiver gets.
    func target(_ name: String, secretFile: String, _ rest: String = "") -> String {
        Self.target(name, port: port, secretFile: secretFile, rest)
    }

    static func target(_ name: String, port: Int, secretFile: String, _ rest: String = "") -> String {
        "    - {name: \(name), url: \"http://127.0.0.1:\(port)/hook\", secretFile: \(secretFile)\(rest)}"
    }
}

extension CallbackServer.Message {
    fileprivate init(_ request: LocalReceiver.Request, _ keys: WebhookKeys) {
        id = request.headers["webhook-id"] ?? ""
        let body = try? JSONParser.value(of: request.body)
        type = body?["type"]?.string ?? ""
        notification = body?["data"]?["id"]?.string ?? ""
        path = request.target
        traceParent = request.headers["traceparent"]
        requestID = body?["data"]?["requestId"]?.string
        do throws(WebhookKeys.Refusal) {
            try keys.check(
                request.body, id: id, timestamp: request.headers["webhook-timestamp"],
                signatures: request.headers["webhook-signature"], at: Date())
            isValid = true
        } catch {
            isValid = false
        }
    }
}
