import Base
import FeatureKit
import Foundation
import HTTPAPI
import NotificationModel
import TestSupport
import Testing

@testable import appgroupd

/// Tests of callbacks with a real daemon and real recipients.
@Suite(.serialized, .timeLimit(.minutes(3))) struct ServeCallbackTests {
    static func configure(
        _ root: ServedRoot, _ rest: String = "", _ targets: (_ secretFile: String) -> [String]
    ) throws -> String {
        let secret = try root.write(CallbackServer.secret, as: "gateway.whsec")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
        return try root.write(
            "callbacks:\n  targets:\n" + targets(secret).joined(separator: "\n") + "\n" + rest, as: "appgroupd.yaml")
    }

    private static func text(_ id: String, _ rest: String = "") -> String {
        #"{"id":"\#(id)"\#(rest),"payload":{"aps":{"alert":"A text"}}}"#
    }

    private static func run(_ root: ServedRoot, _ arguments: String...) async throws -> ProgramRun {
        try await ProgramRun.appgroupd(["callbacks"] + arguments + ["--root", root.path])
    }

    @Test func `results and receipts reach a living target, whatever dead, slow, gone and redirecting ones do`()
        async throws
    {
        let good = try await CallbackServer.start()
        let slow = try await CallbackServer.start { _ in
            // The answer comes when the recipient stops.
            await AsyncEvent().wait()
            return .init(200)
        }
        let gone = try await CallbackServer.start { _ in .init(410) }
        let redirecting = try await CallbackServer.start { _ in
            .init(302, headers: ["location": "http://169.254.169.254/latest/meta-data"])
        }
        let dead = Int(try LoopbackPort.free())
        try await ServedRoot.withRoot { root in
            let file = try Self.configure(root) { secret in
                [
                    slow.target("slow", secretFile: secret, ", concurrent: 2"),
                    CallbackServer.target("dead", port: dead, secretFile: secret),
                    gone.target("gone", secretFile: secret),
                    redirecting.target("redirecting", secretFile: secret), good.target("good", secretFile: secret),
                ]
            }
            let daemon = try await root.start("--config", file)
            for index in 0..<20 {
                #expect(try await root.client.post(Self.text("r\(index)")).status == 200)
            }
            let receipt = try await root.client.request("POST", "/v1/receipts/r0/read")
            #expect(receipt.status == 200)
            try await wait(for: "the good target has all messages") { good.messages.elements.count >= 21 }
            #expect(good.messages.elements.allSatisfy { $0.isValid })
            #expect(Set(good.messages.elements.map(\.id)).count == 21)
            #expect(
                Set(good.messages.elements.map(\.type)) == ["notification.passthrough", "receipt.read"])
            try await wait(for: "the gone target is disabled") {
                try await Self.run(root, "ls").output.contains { $0.hasPrefix("gone") && $0.contains("disabled") }
            }
            try await daemon.log.wait(for: "a callback target is disabled")
            try await wait(for: "the redirect is a failure") {
                let failures = try await Self.run(root, "ls", "--target", "redirecting").contents
                return failures.contains { $0["status"] == 302 && $0["state"] == "pending" }
            }
            #expect(slow.messages.elements.count <= 2)
            let id = try #require(good.messages.elements.first?.id)
            let shown = try await Self.run(root, "show", id)
            let contents = try shown.contents
            #expect(contents.first?["state"] == "delivered")
            #expect(try await Self.run(root, "resend", id).status == 0)
            try await wait(for: "it comes again with its id") {
                good.messages.elements.count { $0.id == id } == 2
            }
            #expect(try await Self.run(root, "show", "msg_none").status == 1)
            #expect(try await Self.run(root, "recover", "none").status == 1)
            let metrics = try await root.client.request("GET", "/metrics").text
            #expect(metrics.contains(#"appgroupd_callback_target_disabled{target="gone"} 1"#))
            #expect(metrics.contains(#"appgroupd_callback_attempts_total{result="delivered",target="good"}"#))
        }
        for server in [good, slow, gone, redirecting] { await server.stop() }
    }

    @Test func `after kill -9 each result has its message, and no message is forgotten`() async throws {
        let port = Int(try LoopbackPort.free())
        try await ServedRoot.withRoot { root in
            let file = try Self.configure(root) { [CallbackServer.target("a", port: port, secretFile: $0)] }
            let daemon = try await root.start("--config", file)
            try await withThrowingTaskGroup { tasks in
                for part in 0..<8 {
                    tasks.addTask {
                        for index in 0..<25 {
                            let answer = try await root.client.post(Self.text("r\(part)-\(index)"))
                            #expect(answer.status == 200)
                        }
                    }
                }
                try await tasks.waitForAll()
            }
            try await daemon.kill()
            let server = try await CallbackServer.start(port: port)
            _ = try await root.start("--config", file)
            try await wait(for: "all have come", atMost: .seconds(90)) {
                Set(server.messages.elements.map(\.notification)).count == 200
            }
            #expect(server.messages.elements.allSatisfy { $0.isValid })
            await server.stop()
        }
    }

    @Test func `a target has its own timeout, and at most the requests at a time that one host may have`() async throws
    {
        let running = Guarded((now: 0, most: 0))
        let slow = try await CallbackServer.start { _ in
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            // The target is slower than a server of media may be.
            try? await Task.sleep(for: .milliseconds(1_500))
            running.withLock { $0.now -= 1 }
            return .init(200)
        }
        try await ServedRoot.withRoot { root in
            let limits = "fetch: {firstByteTimeout: 200ms, idleTimeout: 200ms, connectionsPerHost: 2}\n"
            let file = try Self.configure(root, limits) { [slow.target("slow", secretFile: $0, ", concurrent: 8")] }
            _ = try await root.start("--config", file)
            for index in 0..<4 { #expect(try await root.client.post(Self.text("r\(index)")).status == 200) }
            try await wait(for: "all are delivered") {
                try await Self.run(root, "ls", "--target", "slow", "--state", "delivered").contents.count == 4
            }
            let delivered = try await Self.run(root, "ls", "--target", "slow").contents
            #expect(delivered.allSatisfy { $0["attempts"] == 1 }, "\(delivered)")
        }
        #expect(running.withLock { $0.most } == 2)
        await slow.stop()
    }

    @Test func `a request names its own URL on the origin of a target, and a reload changes the targets`() async throws
    {
        let (first, second) = (try await CallbackServer.start(), try await CallbackServer.start())
        try await ServedRoot.withRoot { root in
            let file = try Self.configure(root) {
                [first.target("a", secretFile: $0, ", requests: true, types: [receipt.read]")]
            }
            let daemon = try await root.start("--config", file)
            let callback = #","callback":"http://127.0.0.1:\#(first.port)/done?x=1""#
            #expect(try await root.client.post(Self.text("r0", callback)).status == 200)
            try await wait(for: "its URL is called") { first.messages.elements.map(\.path) == ["/done?x=1"] }
            _ = try Self.configure(root) { [second.target("b", secretFile: $0)] }
            daemon.send(SIGHUP)
            try await wait(for: "the reload") {
                daemon.log.lines.elements.contains { $0.contains("callbacks.targets is now") }
            }
            #expect(try await root.client.post(Self.text("r1")).status == 200)
            try await wait(for: "the new target is called") {
                second.messages.elements.map(\.notification) == ["r1"]
            }
            #expect(first.messages.elements.count == 1)
        }
        for server in [first, second] { await server.stop() }
    }

    @Test func `a target at an address that is not permitted fails, and one with a long answer has its message`()
        async throws
    {
        let endless = try await CallbackServer.start { _ in .init(200, String(repeating: "x", count: 2 << 20)) }
        try await ServedRoot.withRoot { root in
            let file = try Self.configure(root) { secret in
                [
                    "    - {name: metadata, url: \"http://169.254.169.254/latest\", secretFile: \(secret)}",
                    "    - {name: port, url: \"http://[::1]:\(endless.port)/hook\", secretFile: \(secret)}",
                    endless.target("endless", secretFile: secret),
                ]
            }
            _ = try await root.start("--config", file)
            #expect(try await root.client.post(Self.text("r0")).status == 200)
            let refusals = [
                ("metadata", "--allow-address"), ("port", "--allow-address"),
            ]
            for (target, words) in refusals {
                try await wait(for: "the attempt of \(target)") {
                    let messages = try await Self.run(root, "ls", "--target", target).contents
                    let problem = messages.first?["problem"]?.string
                    return messages.count == 1 && problem?.contains(words) == true && messages[0]["state"] == "pending"
                }
            }
            try await wait(for: "the delivery") {
                let messages = try await Self.run(root, "ls", "--target", "endless").contents
                return messages.map { $0["state"] } == ["delivered"]
            }
            #expect(endless.messages.elements.count == 1)
        }
        await endless.stop()
    }

    @Test func `a callback without its result leads to the call and the trace of its notification`() async throws {
        let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        let server = try await CallbackServer.start { .init($0.notification == "refused" ? 400 : 200) }
        try await ServedRoot.withRoot { root in
            let file = try Self.configure(root) { [server.target("a", secretFile: $0, ", result: false")] }
            let daemon = try await root.start("--config", file)
            let headers = ["x-request-id": "call-7", "traceparent": trace]
            #expect(try await root.client.post(Self.text("taken"), headers).status == 200)
            #expect(try await root.client.post(Self.text("refused"), headers).status == 200)
            let failed = try await daemon.log.wait(for: "a callback has failed")
            #expect(failed["id"] == "refused" && failed["group"] == "group.default")
            #expect(failed["request-id"] == "call-7" && failed["traceparent"] == .string(trace))
            try await wait(for: "both messages") { server.messages.elements.count >= 2 }
            for message in server.messages.elements {
                #expect(message.isValid && message.requestID == "call-7" && message.traceParent == trace)
            }
        }
        await server.stop()
    }
}
