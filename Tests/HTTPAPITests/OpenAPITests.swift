import Base
import FoundationEssentials
import HTTPTypes
import NotificationModel
import TestSupport
import Testing

@testable import HTTPAPI

/// The OpenAPI document beside the routes, and beside the responses of a server.
@Suite(.timeLimit(.minutes(1)))
struct OpenAPITests {
    @Test func `docs/schema/openapi.json is equal to the document that is made from the routes`() throws {
        let text = JSONWriter.text(of: OpenAPIDocument.json(of: ServerBench.table), pretty: true) + "\n"
        let file = try Golden.page("schema/openapi.json", made: text)
        #expect(text == file, "the document differs from the generated one; REWRITE_GOLDENS=1 rewrites it")
    }

    @Test func `each operation has its own name, which is a name of a method`() {
        let names = ServerBench.table.routes.map(\.operation)
        #expect(Set(names).count == names.count)
        for name in names { #expect(name.wholeMatch(of: /[a-z]+[A-Za-z]+/) != nil, "\(name)") }
    }

    @Test func `the parameters of a path are those in its braces`() {
        for route in ServerBench.table.routes {
            let named = (route.parameters ?? []).filter { $0.place == .path }.map { "{\($0.name)}" }
            #expect(route.path.segments.filter { $0.hasPrefix("{") } == named, "\(route.path)")
        }
    }

    @Test func `each response of the server has a status and a media type of the document`() async throws {
        let coordinator = FakeCoordinator(providerKeys: [FakeCoordinator.key("p")])
        try await ServerBench.run(coordinator: coordinator, cache: EmptyCache()) { bench in
            let served = try #require(try await bench.send("GET", "/openapi.json").json)
            #expect(served == OpenAPIDocument.json(of: ServerBench.table))
            let calls: [(String, String, String, [String])] = [
                ("POST", "/v1/notifications", "{}", ["Prefer: respond-async", "Idempotency-Key: a"]),
                ("POST", "/v1/notifications", "[]", []), ("POST", "/v1/notifications?x=1", "{}", []),
                ("GET", "/v1/notifications/a", "", []), ("GET", "/v1/notifications/b", "", []),
                ("GET", "/v1/notifications/..", "", []), ("DELETE", "/v1/notifications/a", "", []),
                ("DELETE", "/v1/notifications/p?by=provider", "", []),
                ("DELETE", "/v1/notifications/q?by=provider", "", []),
                ("GET", "/v1/notifications/b/events", "", []), ("GET", "/v1/status", "", []),
                ("POST", "/v1/cache/purge", #"{"url":"https://a.example/1"}"#, []),
                ("POST", "/v1/cache/purge", "{}", []), ("GET", "/healthz", "", []), ("GET", "/readyz", "", []),
                ("GET", "/metrics", "", []), ("GET", "/openapi.json", "", []),
            ]
            for (method, target, body, fields) in calls {
                let answer = try await bench.send(method, target, fields, body: body)
                let head = HTTPRequest(
                    method: HTTPRequest.Method(method) ?? .get, scheme: "http", authority: "a", path: target)
                let path = try ServerBench.table.route(of: head).route.path.description
                let response = served["paths"][path][method.lowercased()]["responses"]["\(answer.status)"]
                #expect(response?.object != nil, "\(method) \(target): \(answer.head)")
                let types = response["content"]?.object?.keys ?? []
                let type = answer["content-type"]?.split(separator: ";").first.map(String.init)
                #expect(type.map { types == [$0] } ?? types.isEmpty, "\(method) \(target): \(answer.head)")
            }
        }
    }
}
