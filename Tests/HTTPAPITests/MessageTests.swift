import Authentication
import Base
import FoundationEssentials
import NotificationModel
import TestSupport
import Testing

@testable import Features
@testable import HTTPAPI

/// Tests of the routes of named messages.
@Suite(.timeLimit(.minutes(1))) struct MessageTests {
    private static let path = "/v1/messages/welcome"
    private static let payload = #"{"aps":{"alert":"a"}}"#

    @Test func `a message is put, pulled when it is prepared, and removed`() async throws {
        let messages = FakeMessages()
        try await ServerBench.run(messages: messages) { server in
            #expect(try await server.send("GET", Self.path).status == 404)
            let put = try await server.send("PUT", Self.path + "?profiles=ios,web,ios", body: Self.payload)
            #expect(put.status == 202)
            #expect(put["etag"] == "\"1\"")
            #expect(put["location"] == "/v1/messages/welcome?group=group.default")
            #expect(put.json["state"] == "preparing" && put.json["name"] == "welcome")
            #expect(put.json["profiles"]?.object?.keys == ["ios", "web"])
            #expect(put.json["expiresAt"] == "2027-01-16T08:00:00.000Z")
            let early = try await server.send("GET", Self.path)
            #expect(early.status == 202 && early["retry-after"] == "1")
            #expect(early.json == put.json)
            messages.prepare()
            let pulled = try await server.send("GET", Self.path + "?profile=web")
            #expect(pulled.status == 200 && pulled["etag"] == "\"1\"")
            #expect(Array(pulled.body.utf8) == FakeMessages.content)
            let other = try await server.send("GET", Self.path + "?profile=android")
            #expect(other.status == 404 && other.body.contains("prepared for ios, web"), "\(other.body)")
            #expect(try await server.send("DELETE", Self.path).status == 204)
            #expect(try await server.send("DELETE", Self.path).status == 404)
        }
        #expect(messages.puts.first?.submission.object["aps"] != nil)
        #expect(messages.puts.first?.key.group == .default)
    }

    @Test func `a call that waits gets the content as soon as it is prepared`() async throws {
        let messages = FakeMessages()
        try await ServerBench.run(messages: messages) { server in
            #expect(try await server.send("PUT", Self.path, body: Self.payload).status == 202)
            async let pulled = server.send("GET", Self.path + "?wait=1h")
            try await wait(for: "the caller") { messages.waits.elements.count == 1 }
            messages.prepare()
            #expect(try await pulled.status == 200)
            // A wait of zero ends at once.
            let replaced = try await server.send("PUT", Self.path, ["Prefer: wait=0"], body: Self.payload)
            #expect(replaced.status == 202 && replaced["preference-applied"] == "wait=0")
        }
    }

    @Test func `a put that waits is answered with 201 for a new message, and with 200 for another version`()
        async throws
    {
        let messages = FakeMessages()
        try await ServerBench.run(messages: messages) { server in
            async let created = server.send("PUT", Self.path, ["Prefer: wait=3600"], body: Self.payload)
            try await wait(for: "the first caller") { messages.waits.elements.count == 1 }
            messages.prepare(.prepared(.fallback, .httpStatus))
            #expect(try await created.status == 201)
            #expect(try await created.json["state"] == "failed")
            async let replaced = server.send("PUT", Self.path, ["Prefer: wait=3600"], body: Self.payload)
            try await wait(for: "the second caller") { messages.waits.elements.count == 2 }
            messages.prepare()
            #expect(try await replaced.status == 200)
            #expect(try await replaced.json["state"] == "ready")
            #expect(try await replaced["etag"] == "\"2\"")
        }
    }

    @Test func `a message without content is not found, and the problem says why`() async throws {
        let messages = FakeMessages()
        try await ServerBench.run(messages: messages) { server in
            _ = try await server.send("PUT", Self.path, body: Self.payload)
            messages.prepare(.refused("The group is not served."))
            let answer = try await server.send("GET", Self.path)
            #expect(answer.status == 404 && answer.body.contains("The group is not served."), "\(answer.body)")
        }
    }

    @Test func `a change with a condition is applied only to that version of a message`() async throws {
        try await ServerBench.run(messages: FakeMessages()) { server in
            func put(_ field: String) async throws -> Int {
                try await server.send("PUT", Self.path, [field], body: Self.payload).status
            }
            let missing = try await put("If-Match: *")
            #expect(missing == 412)
            #expect(try await put("If-None-Match: *") == 202)
            #expect(try await put("If-None-Match: *") == 412)
            #expect(try await put("If-Match: \"7\"") == 412)
            #expect(try await put("If-Match: \"7\", \"1\"") == 202)
            #expect(try await server.send("DELETE", Self.path, ["If-Match: \"1\""]).status == 412)
            #expect(try await server.send("DELETE", Self.path, ["If-Match: \"2\""]).status == 204)
        }
    }

    @Test(arguments: [
        ("Welcome%20Message", "Welcome Message"), ("a%2Fb", "a/b"), ("%C3%A4", "ä"), ("a%CC%88", "ä"),
        (".hidden", ".hidden"),
        ("...", "..."), (String(repeating: "x", count: 256), String(repeating: "x", count: 256)),
    ])
    func `a name may be any text in its composed form, and is escaped in the location`(
        _ target: String, _ name: String
    ) async throws {
        try await ServerBench.run(messages: FakeMessages()) { server in
            let answer = try await server.send("PUT", "/v1/messages/\(target)", body: Self.payload)
            #expect(answer.status == 202, "\(answer.body)")
            #expect(try JSONParser.value(of: answer.body)["name"]?.string == name)
            let location = try #require(answer["location"])
            #expect(location.hasPrefix("/v1/messages/\(PercentEncoding.text(of: name))?group="))
        }
    }

    @Test(arguments: [
        ("PUT", "%2E", 400, "other than . and .."), ("DELETE", "..", 400, "other than . and .."),
        ("PUT", "a%00", 400, "without control characters"), ("GET", "a%0Ab", 400, "without control characters"),
        ("GET", "a%E2%80%AEb", 400, "without control characters"), ("GET", "a%E2%80%A8b", 400, "without control"),
        ("PUT", String(repeating: "x", count: 257), 400, "1 to 256"), ("PUT", "%FF", 400, "UTF-8"),
        ("PUT", String(repeating: "%C3%A4", count: 129), 400, "1 to 256"),
        ("PUT", "a?expires=soon", 400, "such as 7d"), ("PUT", "a?expires=", 400, "such as 7d"),
        ("PUT", "a?expires=-1d", 400, "such as 7d"), ("PUT", "a?expires=1e9", 400, "such as 7d"),
        ("PUT", "a?expires=9999999999999", 400, "such as 7d"), ("PUT", "a?expires=1d&expires=2d", 400, "occurs 2"),
        ("PUT", "expiry", 400, "at most 60 s away"), ("PUT", "a?profiles=", 400, "not one of ios"),
        ("PUT", "a?profiles=ios,,web", 400, "not one of ios"), ("GET", "a?profile=iOS", 400, "not one of ios"),
        ("GET", "a?wait=2h", 400, "at most an hour"), ("GET", "a?group=.x", 400, "group"),
        ("PUT", "a?group=a/b", 400, "group"), ("GET", "a?x=1", 400, "is not a parameter"),
        ("PUT", "unusable", 400, "budget: is long."), ("PUT", "forbidden", 403, "appGroup"),
        ("PUT", "full", 503, "in use"), ("PUT", "closing", 503, "ending"), ("PUT", "failed", 503, "storage-failed"),
    ])
    func `a wrong call about a message is refused`(
        _ method: String, _ target: String, _ status: Int, _ says: String
    ) async throws {
        let messages = FakeMessages()
        try await ServerBench.run(messages: messages) { server in
            let body = method == "PUT" ? Self.payload : ""
            let answer = try await server.send(method, "/v1/messages/\(target)", body: body)
            #expect(answer.status == status)
            #expect(answer.body.contains(says), "\(answer.body)")
            #expect(!answer.body.contains("secret"))
        }
        #expect(messages.puts.isEmpty)
    }

    @Test(arguments: ["", "[]", "{", "7", "{} {}"])
    func `a body that is not an object is refused`(_ body: String) async throws {
        let messages = FakeMessages()
        try await ServerBench.run(messages: messages) { server in
            let answer = try await server.send("PUT", Self.path, body: body)
            #expect(answer.status == 400 && answer.body.contains("not-json"), "\(answer.body)")
            for field in ["If-Match: 7", "If-Match: W/\"7\"", "If-None-Match: \"1\""] {
                #expect(try await server.send("PUT", Self.path, [field], body: "{}").status == 400, "\(field)")
            }
        }
        #expect(messages.puts.isEmpty)
    }

    @Test func `the expiry is a duration, or a number of seconds since 1970`() async throws {
        let messages = FakeMessages()
        try await ServerBench.run(messages: messages) { server in
            for expiry in ["7d", "1800000060"] {
                let answer = try await server.send("PUT", Self.path + "?expires=\(expiry)", body: Self.payload)
                #expect(answer.status == 202)
            }
        }
        #expect(
            messages.puts.map(\.expiry)
                == [.after(.seconds(604_800)), .at(Date(timeIntervalSince1970: 1_800_000_060))])
    }

    @Test func `a token pulls and stores only messages of its groups`() async throws {
        var settings = HTTPServerSettings()
        settings.needsToken = true
        let group = try #require(AppGroupName("group.one"))
        func token(_ name: String, _ groups: GroupPermission, _ scopes: Set<Scope>) -> StaticToken {
            StaticToken(
                digest: TokenDigest(of: "token-\(name)"), caller: Caller(name: name, groups: groups, scopes: scopes))
        }
        let access = AccessControl(
            Authenticator(
                tokens: [
                    token("all", .all, [.submit, .read]), token("one", .only([group]), [.submit, .read]),
                    token("reader", .all, [.read]),
                ], issuers: []))
        let messages = FakeMessages()
        try await ServerBench.run(settings, access: access, messages: messages) { server in
            func send(_ method: String, _ query: String, _ token: String) async throws -> Int {
                try await server.send(
                    method, Self.path + query, ["Authorization: Bearer token-\(token)"],
                    body: method == "PUT" ? Self.payload : ""
                ).status
            }
            let stored = try await send("PUT", "", "all")
            #expect(stored == 202)
            for query in ["", "?group=group.default", "?group=group.two"] {
                for method in ["GET", "PUT", "DELETE"] {
                    #expect(try await send(method, query, "one") == 403, "\(method) \(query)")
                }
            }
            #expect(try await send("GET", "?group=group.one", "one") == 404)
            #expect(try await send("PUT", "?group=group.one", "one") == 202)
            #expect(try await send("GET", "?group=group.one", "reader") == 202)
            for method in ["PUT", "DELETE"] { #expect(try await send(method, "", "reader") == 403) }
        }
        #expect(messages.puts.map(\.submission.permittedGroups) == [.all, .only([group])])
    }

    @Test func `a server without messages answers 404`() async throws {
        try await ServerBench.run(without: "/v1/messages") { server in
            for method in ["GET", "PUT", "DELETE"] {
                let answer = try await server.send(method, Self.path, body: method == "PUT" ? "{}" : "")
                #expect(answer.status == 404)
            }
        }
    }

    @Test func `an event of a message has its name, its group and its profile`() throws {
        let group = try #require(AppGroupName("group.one"))
        let message = NamedMessage(
            key: MessageKey(group: group, name: try #require(MessageName("welcome"))), version: 7,
            updatedAt: Date(timeIntervalSince1970: 0), expiresAt: Date(timeIntervalSince1970: 1), byteCount: 2,
            preparations: [.init(profile: .web, state: .preparing)])
        func text(_ state: NamedMessage.State) throws -> String {
            EventText.text(
                of: RequestEvent(
                    id: "1", kind: .prepared(PreparedMessage(message, for: .web, state: state)),
                    key: try #require(message.requestKey(for: .web)), date: Date(timeIntervalSince1970: 0),
                    elapsed: .milliseconds(5)))
        }
        let ready = try text(.prepared(.rich, nil))
        #expect(ready.hasPrefix("id: 1\nevent: message.ready\n"), "\(ready)")
        let members =
            #"{"id":"message-7-web","appGroup":"group.one","name":"welcome","version":7,"profile":"web","outcome":"rich""#
        #expect(ready.contains("data: " + members), "\(ready)")
        let failed = try text(.prepared(.fallback, .dnsFailed))
        #expect(failed.contains("event: message.failed\n") && failed.contains(#""reason":"dns-failed""#))
        let refused = try text(.refused("No."))
        #expect(refused.contains("event: message.failed\n") && refused.contains(#""problem":"No.""#))
    }
}
