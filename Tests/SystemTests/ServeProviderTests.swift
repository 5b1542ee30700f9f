import Base
import FeatureKit
import Foundation
import HTTPAPI
import NotificationModel
import TestSupport
import Testing

@testable import appgroupd

/// Tests of receipts and opt-outs that a real daemon passes on to the servers of providers.
@Suite(.serialized, .timeLimit(.minutes(3))) struct ServeProviderTests {
    private static func configure(_ root: ServedRoot, port: Int) throws -> String {
        func secret(_ text: String, as name: String) throws -> String {
            let path = try root.write(text, as: name)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            return path
        }
        return try root.write(
            """
            sendios:
              baseURL: http://127.0.0.1:\(port)
              clientId: 7345
              clientTokenFile: \(try secret("client-token", as: "sendios.token"))
              appId: 837465
              optOuts: true
            comapi:
              baseURL: http://127.0.0.1:\(port)
              apiSpace: space
              keyFile: \(try secret(String(repeating: "k", count: 32), as: "comapi.key"))
              issuer: https://issuer.example
              audience: https://api.comapi.com

            """, as: "appgroupd.yaml")
    }

    /// Emits pushes of both providers, and records receipts of each of them and an opt-out.
    private static func report(_ root: ServedRoot) async throws {
        for index in 0..<4 {
            let sendios = #"{"data":{"push_id":"p-\#(index)","title":"T","body":"B","logic_id":"l"}}"#
            let comapi =
                #"{"messageId":"c-\#(index)","conversationId":"talk","parts":[{"name":"t","type":"text/plain","data":"B"}],"alert":{"platforms":{"apns":{"alert":"B"}}}}"#
            for (provider, payload) in [("sendios", sendios), ("comapi", comapi)] {
                let id = "\(provider)-\(index)"
                let envelope = #"{"id":"\#(id)","recipient":"anna","payload":\#(payload)}"#
                let answer = try await root.client.post(envelope)
                #expect(answer.json["dialect"]?.string == provider, "\(answer.text)")
                for event in ["delivered", "clicked", "read"] {
                    let receipt = try await root.client.request("POST", "/v1/receipts/\(id)/\(event)")
                    #expect(receipt.status == 200, "\(receipt.text)")
                }
            }
        }
        let optOut = try await root.client.request(
            "PATCH", "/v1/recipients/device-1", body: Array(#"{"permissions":{"service":false}}"#.utf8))
        #expect(optOut.status == 201)
    }

    /// Answers as the servers of both providers do, and notes the calls that carry a key.
    private static func answer(
        _ request: LocalReceiver.Request, noting calls: Record<(call: String, key: String)>
    ) -> LocalReceiver.Response {
        let body = (try? JSONParser.value(of: request.body)) ?? .null
        switch request.target {
        case "/apispaces/space/sessions/start": return .init(200, #"{"authenticationId":"a","nonce":"n"}"#)
        case "/apispaces/space/sessions": return .init(200, #"{"token":"session"}"#)
        default: break
        }
        let update = body.array?.first
        let words =
            [body["push_id"], update?["messageIds"]?.array?.first, update?["status"], body["device_id"]]
            .compactMap { $0?.string }
        let call = ([request.method, request.target] + words).joined(separator: " ")
        calls.append((call, request.headers["idempotency-key"] ?? ""))
        return .init(200)
    }

    @Test func `receipts for dead and then living servers of providers arrive once each by their key, over a kill`()
        async throws
    {
        let port = Int(try LoopbackPort.free())
        try await ServedRoot.withRoot { root in
            let file = try Self.configure(root, port: port)
            let daemon = try await root.start("--config", file)
            try await Self.report(root)
            for target in ["sendios", "comapi"] {
                try await wait(for: "an attempt has failed") {
                    let page = try await root.client.request("GET", "/v1/callbacks?limit=200&target=\(target)").json
                    return page["callbacks"]?.array?.contains { ($0["attempts"]?.integer ?? 0) > 0 } ?? false
                }
            }
            // The second attempts come after five seconds, and the third ones only after five minutes.
            try await daemon.kill()
            let calls = Record<(call: String, key: String)>()
            let receiver = try await LocalReceiver(port: port)
            let receiving = Task { try await receiver.run { Self.answer($0, noting: calls) } }
            _ = try await root.start("--config", file)
            var expected: Set<String> = ["PUT /api/v1/app/devices/subscribes device-1"]
            for index in 0..<4 {
                expected.insert("POST /api/v1/app/push/delivered p-\(index) anna")
                expected.insert("POST /api/v1/app/push/click p-\(index) anna")
                for status in ["delivered", "read"] {
                    expected.insert(
                        "POST /apispaces/space/conversations/talk/messages/statusupdates c-\(index) \(status)")
                }
            }
            try await wait(for: "all have come", atMost: .seconds(90)) { calls.elements.count >= expected.count }
            try await wait(for: "all are delivered", atMost: .seconds(60)) {
                let metrics = try await root.client.request("GET", "/metrics").text.split(separator: "\n")
                let pending = metrics.filter { $0.hasPrefix("appgroupd_callbacks_pending{") }
                return pending.count == 2 && pending.allSatisfy { $0.hasSuffix(" 0") }
            }
            #expect(Set(calls.elements.map(\.call)) == expected)
            #expect(calls.elements.count == expected.count)
            #expect(Set(calls.elements.map(\.key)).count == expected.count)
            let missing = try await ProgramRun.appgroupd(
                ["receipts", "missing", "--since", "1h", "--event", "unseen", "--root", root.path])
            let unreported = try missing.contents
            #expect(unreported.count == 8)
            let log = try await ProgramRun.appgroupd(["receipts", "log", "sendios-0", "--root", root.path])
            #expect(log.output.contains { $0.hasSuffix("clicked passed on to sendios") }, "\(log.output)")
            receiving.cancel()
            _ = await receiving.result
        }
    }
}
