import Authentication
import Base
import FoundationEssentials
import HTTPTypes
import NotificationModel
import TestSupport
import Testing

@testable import HTTPAPI

/// Each route with each kind of credential.
@Suite(.timeLimit(.minutes(1)))
struct TokenAccessTests {
    private static let group = "group.com.example.app"

    /// A server whose callers need a token, with a token for each scope and some special tokens.
    private static func run(
        limits: CallLimits = CallLimits(), _ body: @Sendable (ServerBench) async throws -> Void
    ) async throws {
        var settings = HTTPServerSettings()
        settings.needsToken = true
        settings.monitoring = .init(port: 0)
        var tokens = Scope.allCases.map { token($0.rawValue, scopes: [$0], groups: .all) }
        tokens.append(token("all", scopes: Set(Scope.allCases), groups: .all))
        tokens.append(token("tenant", scopes: Set(Scope.allCases), groups: GroupPermission(names: [group])))
        tokens.append(token("slow", scopes: [.admin, .submit], groups: .all, limits))
        try await ServerBench.run(
            settings, coordinator: FakeCoordinator(providerKeys: [FakeCoordinator.key("p", in: group)]),
            restingHosts: ["count": 1, "hosts": [["host": "media.example:443", "restMs": 1]]],
            access: AccessControl(Authenticator(tokens: tokens, issuers: [])), cache: EmptyCache(), body)
    }

    private static func token(
        _ name: String, scopes: Set<Scope>, groups: GroupPermission, _ limits: CallLimits = CallLimits()
    ) -> StaticToken {
        StaticToken(
            digest: TokenDigest(of: "token-\(name)"),
            caller: Caller(name: name, groups: groups, scopes: scopes, limits: limits))
    }

    private static func target(_ route: Route, group: String? = nil) -> String {
        route.path.sample + (group.map { "?group=\($0)" } ?? "")
    }

    private static func body(_ route: Route) -> String {
        switch route.operation {
        case "submitNotification": #"{"aps":{"alert":"a"}}"#
        case "purgeCache": #"{"host":"example.com"}"#
        default: ""
        }
    }

    private static let streams: Set<String> = ["streamEvents", "warmMedia"]

    @Test func `each route needs a token with its scope, apart from health checks`() async throws {
        try await Self.run { bench in
            for route in ServerBench.table.routes {
                let (method, target, body) = (route.method.rawValue, Self.target(route), Self.body(route))
                for fields in [[], ["Authorization: Bearer wrong"], ["Authorization: Basic YTpi"]] {
                    let answer = try await bench.send(method, target, fields, body: body)
                    // A public route needs no token, and refuses a wrong one.
                    let isChecked = route.scope != nil || route.isPublic && !fields.isEmpty
                    #expect((answer.status == 401) == isChecked, "\(method) \(target) \(answer.head)")
                    if route.scope != nil {
                        #expect(answer["www-authenticate"]?.hasPrefix("Bearer realm=") == true)
                        let member = route.foreign != nil ? "errcode" : "type"
                        let names = ["/problems/unauthenticated", "M_MISSING_TOKEN", "M_UNKNOWN_TOKEN"]
                        #expect(answer.json[member]?.string.map(names.contains) == true, "\(answer.body)")
                    }
                }
                guard let scope = route.scope else { continue }
                for other in Scope.allCases where other != scope {
                    let answer = try await bench.send(
                        method, target, ["Authorization: Bearer token-\(other.rawValue)"], body: body)
                    #expect(answer.status == 403, "\(method) \(target) \(answer.head)")
                    #expect(answer.json["scope"]?.string == scope.rawValue)
                }
                guard !Self.streams.contains(route.operation) else { continue }
                let answer = try await bench.send(
                    method, target,
                    ["Authorization: Bearer token-\(scope.rawValue)", "Prefer: respond-async"], body: body)
                #expect(![401, 403].contains(answer.status), "\(method) \(target) \(answer.head)")
            }
        }
    }

    @Test func `an id of another group is answered as an unknown id, and a submission to it is forbidden`() async throws
    {
        try await Self.run { bench in
            let all = ["Authorization: Bearer token-all", "Idempotency-Key: a", "Prefer: respond-async"]
            let tenant = ["Authorization: Bearer token-tenant"]
            for group in [Self.group, "group.default"] {
                let answer = try await bench.send("POST", "/v1/notifications?group=\(group)", all, body: "{}")
                #expect(answer.status == 202)
            }
            for (method, suffix) in [("GET", ""), ("DELETE", ""), ("GET", "/events")] {
                let hidden = try await bench.send(method, "/v1/notifications/a\(suffix)", tenant)
                let unknown = try await bench.send(method, "/v1/notifications/b\(suffix)?group=\(Self.group)", tenant)
                #expect(hidden.status == 404 && (unknown.status == 404 || method == "DELETE"))
                #expect(hidden.json["type"]?.string == "/problems/not-found")
            }
            let own = try await bench.send("GET", "/v1/notifications/a?group=\(Self.group)", tenant)
            #expect(own.status == 200)
            for group in ["group.default", "group.other"] {
                let answer = try await bench.send("POST", "/v1/notifications?group=\(group)", tenant, body: "{}")
                #expect(answer.status == 403)
            }
            #expect(bench.coordinator.submissions.count == 2)
        }
    }

    @Test func `the group of an envelope is checked by the decoder, and a refusal is 403`() async throws {
        var settings = HTTPServerSettings()
        settings.needsToken = true
        let coordinator = FakeCoordinator { submission in
            guard !submission.permittedGroups.contains(.default) else { return .accepted(FakeCoordinator.key("a")) }
            var error = EnvelopeError(key: "appGroup", problem: "group.default is not a group that the token permits")
            error.isForbidden = true
            return .unusable(error)
        }
        let tenant = Self.token("tenant", scopes: [.submit], groups: GroupPermission(names: [Self.group]))
        let access = AccessControl(Authenticator(tokens: [tenant], issuers: []))
        try await ServerBench.run(settings, coordinator: coordinator, access: access) { bench in
            let answer = try await bench.send(
                "POST", "/v1/notifications", ["Authorization: Bearer token-tenant"], body: "{}")
            #expect(answer.status == 403)
            #expect(answer.json["key"]?.string == "appGroup")
        }
    }

    @Test func `a purge needs a token for all groups`() async throws {
        try await Self.run { bench in
            let body = #"{"host":"example.com"}"#
            let tenant = try await bench.send(
                "POST", "/v1/cache/purge", ["Authorization: Bearer token-tenant"], body: body)
            #expect(tenant.status == 403)
            let all = try await bench.send("POST", "/v1/cache/purge", ["Authorization: Bearer token-all"], body: body)
            #expect(all.status == 200)
        }
    }

    @Test(arguments: ["/v1/hosts", "/v1/samples"]) func `a report of all groups needs a token for all groups`(
        _ path: String
    ) async throws {
        try await Self.run { bench in
            let tenant = try await bench.send("GET", path, ["Authorization: Bearer token-tenant"])
            #expect(tenant.status == 403)
            let all = try await bench.send("GET", path, ["Authorization: Bearer token-all"])
            #expect(all.status == 200)
        }
    }

    @Test func `the state of the daemon names resting hosts only to a token for all groups`() async throws {
        try await Self.run { bench in
            for (token, count) in [("all", 1), ("tenant", nil)] as [(String, Int?)] {
                let answer = try await bench.send("GET", "/v1/status", ["Authorization: Bearer token-\(token)"])
                #expect(answer.status == 200)
                #expect(answer.json["restingHosts"]["count"]?.integer == count)
                #expect(answer.body.contains("media.example") == (count != nil))
            }
        }
    }

    @Test func `cancelling by the provider's id stays within the groups of the token`() async throws {
        try await Self.run { bench in
            _ = try await bench.send(
                "DELETE", "/v1/notifications/p?by=provider", ["Authorization: Bearer token-tenant"])
            #expect(bench.coordinator.cancelledGroups == [AppGroupName(Self.group)])
            let other = try await bench.send(
                "DELETE", "/v1/notifications/p?by=provider&group=group.default",
                ["Authorization: Bearer token-tenant"])
            #expect(other.status == 403)
        }
    }

    @Test func `a caller beyond its rate gets 429 and the fields that say when it may call again`() async throws {
        try await Self.run(limits: CallLimits(rate: 2)) { bench in
            var answers: [RawAnswer] = []
            for _ in 0..<3 {
                answers.append(try await bench.send("GET", "/v1/status", ["Authorization: Bearer token-slow"]))
            }
            #expect(answers.map(\.status) == [200, 200, 429])
            #expect(answers[0]["ratelimit"] == "\"rate\";r=1;t=1")
            #expect(answers[0]["ratelimit-policy"] == "\"rate\";q=2;w=1")
            #expect(answers[2]["retry-after"] == "1")
            #expect(answers[2].json["type"]?.string == "/problems/rate-limited")
            // Another caller has its own rate.
            let other = try await bench.send("GET", "/v1/status", ["Authorization: Bearer token-admin"])
            #expect(other.status == 200)
        }
    }

    @Test func `a refused call also tells the state of the rate`() async throws {
        try await Self.run(limits: CallLimits(rate: 10, concurrent: 1)) { bench in
            let fields = ["Authorization: Bearer token-slow", "Prefer: respond-async"]
            // The token has the scopes submit and admin.
            let forbidden = try await bench.send("GET", "/v1/events", fields)
            let accepted = try await bench.send("POST", "/v1/notifications", fields, body: "{}")
            let concurrent = try await bench.send("POST", "/v1/notifications", fields, body: "{}")
            #expect([forbidden, accepted, concurrent].map(\.status) == [403, 202, 429])
            for answer in [forbidden, accepted, concurrent] {
                #expect(answer["ratelimit-policy"] == "\"rate\";q=10;w=1", "\(answer.head)")
                #expect(answer["ratelimit"]?.hasPrefix("\"rate\";r=") == true, "\(answer.head)")
            }
        }
    }

    @Test func `unknown paths count towards the rate of a caller`() async throws {
        try await Self.run(limits: CallLimits(rate: 2)) { bench in
            var statuses: [Int] = []
            for _ in 0..<3 {
                statuses.append(try await bench.send("GET", "/nope", ["Authorization: Bearer token-slow"]).status)
            }
            #expect(statuses == [404, 404, 429])
        }
    }

    @Test func `a caller takes at most a quarter of the event streams`() {
        let slots = StreamSlots(most: 8)
        let caller = Caller(name: "a", groups: .all, scopes: [])
        let own = (0..<3).map { _ in slots.take(by: caller) }
        #expect(own.map { $0 != nil } == [true, true, false])
        let others = (0..<7).map { _ in slots.take(by: .local) }
        #expect(others.filter { $0 != nil }.count == 6)
        own[0]?.leave()
        #expect(slots.take(by: caller) != nil)
        withExtendedLifetime((own, others)) {}
    }

    @Test func `a local process leaves slots to the other ones, and all over TCP leave a quarter`() {
        let slots = StreamSlots(most: 8)
        let local = (0..<7).map { _ in slots.take(by: .local) }
        #expect(local.filter { $0 != nil }.count == 6)
        var process = Caller.local
        process.process = 7
        let own = (0..<3).map { _ in slots.take(by: process) }
        #expect(own.map { $0 != nil } == [true, true, false])
        withExtendedLifetime((local, own)) {}
    }

    @Test func `an accepted request counts as unfinished until its result is published`() async throws {
        try await Self.run(limits: CallLimits(concurrent: 1)) { bench in
            let fields = ["Authorization: Bearer token-slow", "Prefer: respond-async"]
            let accepted = try await bench.send("POST", "/v1/notifications", fields, body: "{}")
            #expect(accepted.status == 202)
            let refused = try await bench.send("POST", "/v1/notifications", fields, body: "{}")
            #expect(refused.status == 429 && refused["retry-after"] == "1")
            bench.coordinator.forgetSubmissions()
            let later = try await bench.send("POST", "/v1/notifications", fields, body: "{}")
            #expect(later.status == 202)
        }
    }

    @Test func `the listener for monitoring serves only metrics and health checks`() async throws {
        try await Self.run { bench in
            for route in ServerBench.table.routes {
                let answer = try await bench.send(
                    route.method.rawValue, Self.target(route), body: Self.body(route), host: "prometheus.lan",
                    port: bench.monitoringPort)
                #expect((answer.status == 200) == route.isForMonitoring, "\(route.path) \(answer.head)")
            }
        }
    }

    @Test func `the log has the path of the route and the name of the token, and no id`() async throws {
        try await Self.run { bench in
            _ = try await bench.send("GET", "/v1/notifications/secret-id", ["Authorization: Bearer token-read"])
            _ = try await bench.send("GET", "/v1/nothing/secret-id", ["Authorization: Bearer token-read"])
            let lines = bench.log.all.joined(separator: "\n")
            #expect(lines.contains("/v1/notifications/{id}") && lines.contains("read"))
            #expect(!lines.contains("secret-id") && !lines.contains("token-read"))
        }
    }
}
