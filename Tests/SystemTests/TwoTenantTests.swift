import Base
import Foundation
import HTTPAPI
import NotificationModel
import TestSupport
import Testing

@testable import appgroupd

/// Tests that the calls of one tenant neither change nor show what another tenant has, by any operation of the API.
@Suite(.serialized, .timeLimit(.minutes(2))) struct TwoTenantTests {
    private static let scopes = [
        "submit", "read", "cancel", "events", "warm", "receipts", "recipients", "admin", "media",
    ]
    /// The operations that give a tenant data, in their order.
    private static let beginning = [
        "putRecipient", "submitNotification", "submitBatch", "putMessage", "recordReceipt", "recordReceipts",
    ]

    /// Runs a daemon with a token for each of two groups.
    private static func withTenants(
        _ body: (_ one: Tenant, _ other: Tenant) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        var tokens: [String] = []
        var entries: [String] = []
        for group in ["group.a", "group.b"] {
            let arguments = ["token", "new", "--name", group, "--group", group]
            let made = try await ProgramRun.appgroupd(arguments + scopes.flatMap { ["--scope", $0] })
            tokens.append(try #require(made.output.first))
            entries += made.errors.dropFirst().filter { $0 != "  tokens:" }
        }
        let access = ["auth:", "  required: always", "  tokens:"] + entries
        let configuration = try directory.write(access.joined(separator: "\n"), as: "auth.yaml")
        try await ServedRoot.withRoot { root in
            let daemon = try await root.start("--listen", "127.0.0.1:0", "--config", configuration)
            let place = try #require(daemon.log.records("ready").first?["listen"]?.string)
            let port = try #require(place.split(separator: ":").last.flatMap { Int($0) })
            func tenant(_ token: String, _ group: String, _ word: String) -> Tenant {
                Tenant(client: DaemonClient(host: "127.0.0.1", port: port, token: token), group: group, word: word)
            }
            try await body(tenant(tokens[0], "group.a", "Zaunkoenig"), tenant(tokens[1], "group.b", "Rotkehlchen"))
        }
    }

    /// Gives a tenant notifications, a batch, a recipient, a message and receipts, and waits until none of them changes.
    private static func begin(_ tenant: Tenant) async throws {
        for operation in beginning {
            for call in try #require(TenantCall.of(operation, in: tenant.group, saying: tenant.word)) {
                let answer = try await call.answer(from: tenant.client)
                #expect((200..<300).contains(answer.status), "\(operation): \(answer.json)")
            }
        }
        try await wait(for: "the end of the batch", atMost: .seconds(30)) {
            try await tenant.client.request("GET", "/v1/batches/campaign").json["state"] == "ended"
        }
        _ = try await tenant.client.request("GET", "/v1/messages/welcome?group=\(tenant.group)&wait=30")
    }

    /// Returns the operations of the API, in the order of its description.
    private static func operations(_ client: DaemonClient) async throws -> [(method: String, name: String)] {
        let document = try await client.request("GET", "/openapi.json").json
        let paths = try #require(document["paths"]?.object).members
        return paths.flatMap { path in
            (path.value.object?.members ?? []).compactMap { method in
                method.value["operationId"]?.string.map { (method.key, $0) }
            }
        }
    }

    /// Returns the answers of all operations that change nothing.
    private static func answers(_ tenant: Tenant) async throws -> [String: String] {
        var answers: [String: String] = [:]
        for (method, name) in try await operations(tenant.client) where method == "get" {
            for call in try #require(TenantCall.of(name, in: tenant.group, saying: tenant.word)) {
                let answer = try await call.answer(from: tenant.client)
                var text = "\(answer.status) " + String(decoding: answer.body, as: UTF8.self)
                if let uptime = answer.json["uptimeMs"]?.integer {
                    text = text.replacingOccurrences(of: "\"uptimeMs\":\(uptime)", with: "")
                }
                answers[call.target] = text
            }
        }
        return answers
    }

    /// Makes all calls of a tenant about its own group, and those about the group of another one, which are refused.
    private static func callAll(_ tenant: Tenant, against other: Tenant) async throws {
        for (_, name) in try await operations(tenant.client) {
            let own = try #require(
                TenantCall.of(name, in: tenant.group, saying: tenant.word), "no call of \(name) is in the table")
            for call in own { _ = try await call.answer(from: tenant.client) }
            for call in TenantCall.of(name, in: other.group, saying: tenant.word) ?? [] {
                let answer = try await call.answer(from: tenant.client)
                let text = String(decoding: answer.body, as: UTF8.self)
                #expect(!text.contains(other.word), "\(name): \(text)")
                guard call.target.contains(other.group) else { continue }
                #expect([403, 404].contains(answer.status), "\(name) \(call.target): \(answer.status) \(text)")
            }
        }
    }

    /// Erases data of a tenant, waits until nothing of it is left, and returns the counts.
    private static func erased(_ name: String, _ tenant: Tenant) async throws -> JSONValue? {
        let answer = try await tenant.client.request("DELETE", "/v1/notifications?group=\(tenant.group)&\(name)")
        #expect(answer.status == 202)
        let place = try #require(answer.headers["location"])
        try await wait(for: "the end of the erasure", atMost: .seconds(60)) {
            try await tenant.client.request("GET", place).json["state"] == "done"
        }
        return try await tenant.client.request("GET", place).json["erased"]
    }

    @Test func `the calls of one tenant change no answer of another one`() async throws {
        try await Self.withTenants { one, other in
            try await Self.begin(one)
            let before = try await Self.answers(one)
            #expect(before.values.contains { $0.contains(one.word) })
            let seen = Guarded<[String]>([])
            let listening = Task {
                try await one.client.forEachLine(of: "/v1/events") { line in seen.withLock { $0.append(line) } }
            }
            defer { listening.cancel() }

            try await Self.begin(other)
            try await Self.callAll(other, against: one)
            _ = try await Self.erased("everything=true", other)

            let after = try await Self.answers(one)
            for (target, text) in before { #expect(after[target] == text, "\(target)") }
            let left = try await other.client.request("GET", "/v1/notifications?group=\(other.group)")
            #expect(left.json["notifications"]?.array?.isEmpty == true, "\(left.json)")
            #expect(!seen.withLock { $0 }.contains { $0.contains(other.group) || $0.contains(other.word) })
        }
    }

    @Test func `an erasure counts and removes only data of its group`() async throws {
        let alone = Guarded<JSONValue?>(nil)
        try await Self.withTenants { one, _ in
            try await Self.begin(one)
            let counts = try await Self.erased("recipient=anna", one)
            alone.withLock { $0 = counts }
        }
        try await Self.withTenants { one, other in
            try await Self.begin(one)
            try await Self.begin(other)
            let before = try await Self.answers(other)
            let counts = try await Self.erased("recipient=anna", one)
            #expect(counts == alone.withLock { $0 })
            #expect(counts?["listed"]?.integer == 5 && counts?["batchLines"]?.integer == 4, "\(counts ?? .null)")
            let after = try await Self.answers(other)
            for (target, text) in before { #expect(after[target] == text, "\(target)") }
        }
    }

    @Test func `figures of all groups need a token for all groups`() async throws {
        try await Self.withTenants { one, _ in
            for path in ["/metrics", "/v1/hosts", "/v1/samples", "/v1/callback-targets"] {
                let answer = try await one.client.request("GET", path)
                #expect(
                    answer.status == 403 && answer.json["detail"]?.string?.contains("all groups") == true, "\(path)")
            }
            let status = try await one.client.request("GET", "/v1/status").json
            #expect(status["ready"] == true)
            for name in ["load", "recent", "workers", "restingHosts"] { #expect(status[name] == .null, "\(name)") }
        }
    }
}
