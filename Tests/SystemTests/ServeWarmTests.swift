import Base
import Foundation
import HTTPAPI
import Lab
import NotificationModel
import TestSupport
import Testing

/// Tests of `POST /v1/warm` of a running daemon.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ServeWarmTests {
    private func line(_ url: String, budget: String = "20s") -> String {
        #"{"payload": {"title": "t", "media": [{"url": "\#(url)"}]}, "budget": "\#(budget)"}"#
    }

    private func results(of answer: [UInt8]) throws -> [Int: JSONValue] {
        let lines = answer.split(separator: UInt8(ascii: "\n"))
        return Dictionary(
            uniqueKeysWithValues: try lines.map { line in
                let value = try JSONParser.value(of: Array(line))
                return (value["line"]?.integer ?? 0, value)
            })
    }

    @Test func `the warming result of a payload without media is empty`() async throws {
        try await ServedRoot.withRoot { root in
            _ = try await root.start()
            let answer = try await root.client.request("POST", "/v1/warm", body: Array(#"{"payload": {}}"#.utf8))
            #expect(try results(of: answer.body)[1]?["result"] == "empty")
            #expect(try results(of: answer.body)[1]?["media"] == [])
        }
    }

    @Test func `payloads of several hosts are warmed at the same time`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { silent in
            try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { lively in
                try await ServedRoot.withRoot { root in
                    // A call warms one item at a time for each host.
                    let config = try root.write("fetch: {connectionsPerHost: 4}", as: "c.yaml")
                    _ = try await root.start("--config", config)
                    let body = [line(silent.stalled), line(lively.image)].joined(separator: "\n")
                    let call = Task { try await root.client.request("POST", "/v1/warm", body: Array(body.utf8)) }
                    // The second item ends while the first item waits for its origin.
                    await lively.waitUntil { $0.responsesFinished >= 1 }
                    await silent.waitUntil { $0.stallsReached >= 1 }
                    call.cancel()
                    _ = try? await call.value
                }
            }
        }
    }
}
