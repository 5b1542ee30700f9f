import Authentication
import Base
import FoundationEssentials
import NotificationModel
import TestSupport
import Testing

@testable import Features
@testable import HTTPAPI

/// Tests of the routes of recipients, over a store in memory.
@Suite(.timeLimit(.minutes(1))) struct RecipientTests {
    /// A store in memory, whose recipients have only their id as a name. The name `full` makes each change fail.
    private final class Store: RecipientStoring {
        private let recipients = Guarded<[RecipientName: Recipient]>([:])
        let changes = Record<RecipientChange>()

        func recipient(_ name: RecipientName) async -> RecipientLookup {
            RecipientLookup(mark: RecipientMark(name: name, revision: 1), stored: nil)
        }

        func find(_ name: RecipientName) async -> RecipientAnswer {
            recipients.withLock { $0[name] }.map { .stored($0, isNew: false) } ?? .unknown
        }

        func apply(_ changes: [RecipientChange]) async -> [RecipientAnswer] { changes.map(apply) }

        private func apply(_ change: RecipientChange) -> RecipientAnswer {
            changes.append(change)
            if change.name.name == "full" { return .failed("/var/lib/secret is full") }
            if change.name.name == "taken" { return .nameInUse("t", owner: "anna") }
            return recipients.withLock { recipients in
                let old = recipients[change.name]
                guard change.condition.isMet(by: old?.version) else { return .otherVersion(old?.version) }
                var document: RecipientDocument
                do throws(RecipientError) {
                    switch change.kind {
                    case .remove: return recipients.removeValue(forKey: change.name) == nil ? .unknown : .removed
                    case .replace(let whole): document = whole
                    case .patch(let patch):
                        document = try (old?.document ?? RecipientDocument()).patched(
                            by: patch, of: change.name.name, at: Date(timeIntervalSince1970: 0))
                    }
                } catch {
                    return .unusable(error)
                }
                let recipient = Recipient(
                    id: change.name, document: document, version: (old?.version ?? 0) + 1,
                    updatedAt: Date(timeIntervalSince1970: 0), hash: String(repeating: "0", count: 32))
                recipients[change.name] = recipient
                return .stored(recipient, isNew: old == nil)
            }
        }

        func deadNames(among names: [String], in group: AppGroupName) async -> Set<String> { [] }
    }

    @Test func `a recipient is created, read, changed and removed`() async throws {
        try await ServerBench.run(recipients: Store()) { server in
            let path = "/v1/recipients/anna%2F1%40x"
            #expect(try await server.send("GET", path).status == 404)
            let created = try await server.send("PUT", path, body: #"{"permissions":{"service":false}}"#)
            #expect(created.status == 201)
            #expect(created["etag"] == "\"1\"")
            #expect(created.json?["id"] == "anna/1@x")
            #expect(created.json?["permissions"] == ["service": false])
            let changed = try await server.send("PATCH", path, body: #"{"permissions":{"sound":true},"locale":"de"}"#)
            #expect(changed.status == 200)
            #expect(changed["etag"] == "\"2\"")
            #expect(changed.json?["permissions"] == ["service": false, "sound": true])
            let read = try await server.send("GET", path)
            #expect(read.json == changed.json)
            #expect(read["etag"] == "\"2\"")
            #expect(try await server.send("DELETE", path).status == 204)
            #expect(try await server.send("DELETE", path).status == 404)
        }
    }

    @Test func `a change with a condition is applied only to that version`() async throws {
        try await ServerBench.run(recipients: Store()) { server in
            let path = "/v1/recipients/anna"
            #expect(try await server.send("PATCH", path, ["If-Match: *"], body: "{}").status == 412)
            #expect(try await server.send("PUT", path, ["If-None-Match: *"], body: "{}").status == 201)
            #expect(try await server.send("PUT", path, ["If-None-Match: *"], body: "{}").status == 412)
            let refused = try await server.send("PATCH", path, ["If-Match: \"7\""], body: "{}")
            #expect(refused.status == 412)
            #expect(refused.json?["version"] == 1)
            #expect(try await server.send("PATCH", path, ["If-Match: \"7\", \"1\""], body: "{}").status == 200)
            #expect(try await server.send("DELETE", path, ["If-Match: \"1\""]).status == 412)
            #expect(try await server.send("DELETE", path, ["If-Match: \"2\""]).status == 204)
            for wrong in ["If-Match: 7", "If-Match: W/\"7\"", "If-Match: \"\"", "If-None-Match: \"1\""] {
                #expect(try await server.send("PATCH", path, [wrong], body: "{}").status == 400, "\(wrong)")
            }
        }
    }

    @Test(arguments: [
        ("anna", "[]", 400, "not-json"), ("anna", "{", 400, "not-json"),
        ("anna", #"{"permissions":{"sevice":true}}"#, 400, "did you mean service?"),
        ("anna", #"{"locale":"de","locale":"en"}"#, 400, #""key":"locale""#),
        ("anna", #"{"permissions":{"service":false,"service":true}}"#, 400, #""key":"service""#),
        ("anna", #"{"nmaes":[]}"#, 400, "did you mean names?"), ("a%00b", "{}", 400, "bad-request"),
        ("full", "{}", 503, "storage-failed"), ("taken", "{}", 409, "name-in-use"),
        (String(repeating: "x", count: 257), "{}", 400, "bad-request"),
    ])
    func `a wrong change is refused`(_ name: String, _ body: String, _ status: Int, _ says: String) async throws {
        try await ServerBench.run(recipients: Store()) { server in
            for method in ["PUT", "PATCH"] {
                let answer = try await server.send(method, "/v1/recipients/\(name)", body: body)
                #expect(answer.status == status)
                #expect(answer.body.contains(says), "\(answer.body)")
                #expect(!answer.body.contains("secret"))
            }
        }
    }

    @Test func `each line of a body changes a recipient, and has an answer`() async throws {
        let store = Store()
        let lines = [
            #"{"id":"anna","permissions":{"service":false}}"#, "", #"{"id":"anna","group":"group.two"}"#,
            #"{"id":7}"#, "[]", #"{"id":"full"}"#, #"{"id":"ben","x":1}"#,
            #"{"id":"long","labels":["\#(String(repeating: "x", count: 70_000))"]}"#, #"{"id":"anna","locale":"de"}"#,
        ]
        try await ServerBench.run(recipients: store) { server in
            let body = lines.joined(separator: "\n")
            let answer = try await RawConnection.open(to: .tcp(server.port)) { connection in
                try await connection.send(
                    "PATCH /v1/recipients HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
                return await connection.readToEnd()
            }
            #expect(answer.hasPrefix("HTTP/1.1 200"))
            // The lines of the chunked coding have no objects.
            let values = answer.split(whereSeparator: \.isNewline)
                .compactMap { try? JSONParser.value(of: String($0)) }.filter { $0.object != nil }
            let statuses = values.dropLast().map { [$0["line"]?.integer, $0["status"]?.integer] }
            #expect(
                statuses == [[1, 201], [3, 201], [4, 400], [5, 400], [6, 503], [7, 400], [8, 413], [9, 200]],
                "\(answer)")
            #expect(values.last?["summary"] == ["lines": 8, "stored": 3, "errors": 5, "complete": true])
            #expect(values.first?["id"] == "anna")
        }
        #expect(store.changes.elements.first?.name.group == .default)
    }

    @Test func `a server without recipients answers 404`() async throws {
        try await ServerBench.run(without: "/v1/recipients") { server in
            let read = try await server.send("GET", "/v1/recipients/anna")
            #expect(read.status == 404)
            let changed = try await server.send("PATCH", "/v1/recipients", body: "{}")
            #expect(changed.status == 404)
        }
    }

    @Test func `the groups of the caller apply to each call and to each line`() async throws {
        let group = try #require(AppGroupName("group.one"))
        let caller = Caller(name: "c", groups: .only([group]), scopes: [.recipients])
        let store = Store()
        var lines = ChangeLines(
            RecipientLines(store: store), group: group, permitted: caller.groups,
            pace: LinePace(clock: SystemClock()) { .now })
        let body = #"{"id":"a"}"# + "\n" + #"{"id":"b","group":"group.two"}"# + "\n"
        var output = await lines.take(Array(body.utf8.prefix(20)))
        output += await lines.take(Array(body.utf8.dropFirst(20)))
        output += await lines.end(isWhole: false)
        let text = String(decoding: output, as: UTF8.self)
        #expect(text.contains(#"{"line":1,"id":"a","status":201}"#), "\(text)")
        #expect(text.contains(#"{"line":2,"id":"b","status":403"#))
        #expect(text.contains(#""complete":false"#))
        #expect(store.changes.elements.map(\.name.name) == ["a"])
    }
}
