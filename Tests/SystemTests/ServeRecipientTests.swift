import Base
import Foundation
import HTTPAPI
import Lab
import NotificationModel
import TestSupport
import Testing

/// Tests of stored recipients with a real daemon and an origin.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ServeRecipientTests {
    private static func envelope(_ payload: String, to recipient: String, _ rest: String = "") -> String {
        ServedPayload.envelope(payload, budget: "10s", #", "recipient": "\#(recipient)"\#(rest)"#)
    }

    @Test func `a stored opt-out holds over a restart, and rejects without a byte fetched`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let daemon = try await root.start()
                let stored = try await root.client.request(
                    "PUT", "/v1/recipients/anna",
                    body: Array(#"{"permissions": {"service": false}, "names": ["token-1"]}"#.utf8))
                #expect(stored.status == 201)
                try await daemon.kill()
                let next = try await root.start()
                for name in ["anna", "token-1"] {
                    let answer = try await root.client.post(
                        Self.envelope(ServedPayload.media([origin.image]), to: name))
                    #expect(answer.json["outcome"] == "rejected")
                    #expect(
                        answer.json["details"]["permission"]
                            == ["name": "service", "rule": "recipient", "version": 1])
                }
                let token =
                    #"{"message": {"token": "token-1", "notification": {"title": "t", "image": "\#(origin.image)"}}}"#
                #expect(try await root.client.post(token).json["outcome"] == "rejected")
                #expect(origin.counts.requests == 0)
                let other = try await root.client.post(Self.envelope(ServedPayload.media([origin.image]), to: "ben"))
                #expect(other.json["outcome"] == "rich")
                let lines = next.log.lines.elements.filter { $0.contains("\"emitted\"") }
                #expect(lines.contains { $0.contains("858e1728ba1411078dc5ab082716d03c") }, "the digest of anna")
                #expect(!lines.contains { $0.contains("anna") || $0.contains("token-1") })
            }
        }
    }

    @Test func `the command reads, changes, imports and removes recipients`() async throws {
        try await ServedRoot.withRoot { root in
            _ = try await root.start()
            func run(_ arguments: String...) async throws -> ProgramRun {
                try await ProgramRun.appgroupd(["recipients"] + arguments + ["--root", root.path])
            }
            let missing = try await run("get", "anna")
            #expect(missing.status == 1)
            #expect(missing.errors.first?.contains("no receiver of this name") == true, "\(missing.errors)")
            let set = try await run(
                "set", "anna", "--permission", "sound=false", "--name", "a/b c", "--locale", "de-AT")
            #expect(set.status == 0, "\(set.errors)")
            let got = try await run("get", "a/b c")
            #expect(got.output == set.output)
            #expect(try got.contents.first?["permissions"] == ["sound": false])
            let stale = try await run("set", "anna", "--permission", "sound=default", "--if-version", "99")
            #expect(stale.status == 1)
            let file = try root.write(
                #"{"id":"ben","permissions":{"service":false}}"# + "\n" + #"{"id":"cleo","locale":"fr"}"#,
                as: "r.ndjson")
            let imported = try await run("import", file)
            #expect(imported.status == 0, "\(imported.errors)")
            #expect(imported.output.count == 1)
            #expect(try await run("get", "ben").contents.first?["permissions"] == ["service": false])
            let wrong = try root.write(#"{"id":"ben","permissions":{"sevice":false}}"#, as: "w.ndjson")
            let refused = try await run("import", wrong)
            #expect(refused.status == 1)
            #expect(refused.output.first?.contains("did you mean service?") == true, "\(refused.output)")
            #expect(try await run("rm", "anna").status == 0)
            #expect(try await run("rm", "anna").status == 1)
            #expect(try await run("set", "anna", "--permission", "sevice=false").status == 2)
            #expect(try await run("get", "").status == 2)
        }
    }
}
