import Authentication
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@testable import HTTPAPI

struct RouteTableTests {
    private static func head(_ method: HTTPRequest.Method, _ path: PathPattern) -> HTTPRequest {
        HTTPRequest(method: method, scheme: "http", authority: "a", path: path.sample)
    }

    private static func match(_ head: HTTPRequest) throws(Problem) -> Route {
        let (route, target) = try ServerBench.table.route(of: head)
        _ = try ServerBench.table.handler(of: route, for: head, to: target, from: .local)
        return route
    }

    @Test func `each route is reached by its methods, and no two routes have the same path and method`() throws {
        for route in ServerBench.table.routes {
            for method in route.methods {
                var head = Self.head(method, route.path)
                // An erasure is the only call that needs a parameter.
                if route.operation == "eraseNotifications" { head.path? += "?id=a" }
                let found = try Self.match(head)
                #expect(found.path == route.path && found.method == route.method, "\(method) \(route.path)")
            }
            let same = ServerBench.table.routes.filter { $0.path == route.path && $0.method == route.method }
            #expect(same.count == 1, "\(route.method) \(route.path)")
        }
    }

    @Test(arguments: ServerBench.table.paths)
    func `a path refuses each method that its routes do not answer`(path: PathPattern) throws {
        let allowed = ServerBench.table.routes.filter { $0.path == path }.flatMap(\.methods)
        let others: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options, .trace, .connect]
        for method in others where !allowed.contains(method) {
            let problem = #expect(throws: Problem.self) { try Self.match(Self.head(method, path)) }
            #expect(problem?.kind == .wrongMethod)
            #expect(problem?.headers[.allow] == allowed.map(\.rawValue).joined(separator: ", "))
        }
    }

    @Test(arguments: ["/healthz?x=%", "/readyz?%ff", "/metrics?%zz"])
    func `a route that ignores the query is reached with a malformed query`(_ path: String) throws {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "a", path: path)
        #expect(try Self.match(head).parameters == nil)
    }

    @Test(
        arguments: [
            (.put, "/v1/status?%", .wrongMethod), (.get, "/v1/nothing?%", .notFound),
            (.get, "/v1/status?%", .badRequest),
        ] as [(HTTPRequest.Method, String, Problem.Kind)])
    func `a malformed query is refused after an unknown path and a wrong method`(
        _ method: HTTPRequest.Method, _ path: String, _ kind: Problem.Kind
    ) {
        let head = HTTPRequest(method: method, scheme: "http", authority: "a", path: path)
        let problem = #expect(throws: Problem.self) { try Self.match(head) }
        #expect(problem?.kind == kind)
    }

    @Test func `the manual names each route, and the summary of each route is a whole sentence`() throws {
        let manual = try String(
            decoding: Data(contentsOf: URL(filePath: Fixtures.project + "/docs/use/http.md")), as: UTF8.self)
        for route in ServerBench.table.routes {
            #expect(manual.contains("`\(route.method) \(route.path)`"))
            #expect(route.summary.wholeMatch(of: /[A-Z].+ .+\./) != nil, "\(route.path)")
        }
    }

    @Test func `docs/operate/metrics.md names the calls of all routes`() throws {
        let page = try String(contentsOfFile: Fixtures.project + "/docs/operate/metrics.md", encoding: .utf8)
        let row = try #require(page.split(separator: "\n").first { $0.contains("http_requests_total{call") })
        for route in ServerBench.table.routes { #expect(row.contains("`\(route.metric)`"), "\(route.path)") }
    }
}
