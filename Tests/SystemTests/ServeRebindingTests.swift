import Base
import Foundation
import HTTPAPI
import NotificationModel
import TestSupport
import Testing

/// Tests of callback targets whose names or redirects lead to an internal address, with a real daemon and its own
/// resolver.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ServeRebindingTests {
    /// Returns the messages to the target, the newest first.
    private static func messages(_ root: ServedRoot) async throws -> [JSONValue] {
        try await root.client.request("GET", "/v1/callbacks?limit=200").json["callbacks"]?.array ?? []
    }

    private static func emit(_ id: String, _ root: ServedRoot) async throws {
        let answer = try await root.client.post(#"{"id":"\#(id)","payload":{"aps":{"alert":"A text"}}}"#)
        #expect(answer.status == 200)
    }

    @Test func `a target whose name rebinds to an internal address gets no further message`() async throws {
        let isBound = Guarded(false)
        let names = try LocalNameServer { _ in
            isBound.withLock { $0 } ? .address(169, 254, 169, 254) : .address(127, 0, 0, 1)
        }
        defer { names.shutdown() }
        let server = try await CallbackServer.start()
        try await ServedRoot.withRoot { root in
            let file = try ServeCallbackTests.configure(root) { secret in
                ["    - {name: a, url: \"http://hook.rebind.test:\(server.port)/hook\", secretFile: \(secret)}"]
            }
            let yaml = try root.write(
                "\(String(decoding: Data(contentsOf: URL(filePath: file)), as: UTF8.self))fetch: {nameServers: ['\(names.address)']}\n",
                as: "rebinding.yaml")
            _ = try await root.start("--config", yaml)
            try await Self.emit("first", root)
            try await wait(for: "the first message") { server.messages.elements.map(\.notification) == ["first"] }
            isBound.withLock { $0 = true }
            // The resolver may remember the first answer for a moment.
            let emitted = Record<String>()
            func refused() async throws -> JSONValue? {
                try await Self.messages(root).first { message in
                    message["problem"]?.string?.contains("the address is not public") ?? false
                }
            }
            try await wait(for: "a message is refused") {
                let id = "r\(emitted.elements.count)"
                emitted.append(id)
                try await Self.emit(id, root)
                return try await refused() != nil
            }
            let message = try #require(try await refused())
            #expect(message["state"] == "pending" && message["status"] == .null, "\(message)")
            #expect(!server.messages.elements.map(\.id).contains(message["id"]?.string ?? ""))
            #expect(names.names.contains("hook.rebind.test"))
        }
        await server.stop()
    }

    @Test func `a redirect of a target to an internal address is not followed`() async throws {
        let server = try await CallbackServer.start { _ in
            .init(307, headers: ["location": "http://169.254.169.254/latest/meta-data"])
        }
        try await ServedRoot.withRoot { root in
            let file = try ServeCallbackTests.configure(root) { [server.target("a", secretFile: $0)] }
            _ = try await root.start("--config", file)
            try await Self.emit("r", root)
            try await wait(for: "the redirect is a failure") {
                let message = try await Self.messages(root).first
                return message?["status"]?.integer == 307 && message?["state"] == "pending"
            }
            let message = try await Self.messages(root).first
            #expect(message?["problem"]?.string?.contains("no redirect is followed") == true)
        }
        await server.stop()
    }
}
