import Testing

@testable import HTTPAPI

struct RouteSuggestionTests {
    @Test(arguments: [
        ("/v1/notification", "/v1/notifications"), ("/notifications", "/v1/notifications"),
        ("/v1/notifications/", "/v1/notifications"), ("/v1/notifications/a/event", "/v1/notifications/{id}/events"),
        ("/v1/purge", nil), ("/health", "/healthz"), ("/v1/stats", "/v1/status"), ("/metrcs", "/metrics"),
        ("/v1/notification/a", "/v1/notifications/{id}"), ("/v1/cache/purg", "/v1/cache/purge"),
        ("/admin", nil), ("/", nil), ("/a/b/c/d/e/f/g/h", nil),
    ])
    func `the error of an unknown path contains the nearest known path`(_ path: String, _ near: String?) throws {
        let text = ServerBench.table.suggestion(for: try RequestTarget(path).segments)
        #expect(text.hasPrefix("There is no such path. \(near.map { "Did you mean \($0)? " } ?? "The")"), "\(text)")
        #expect(text.contains("/v1/notifications/{id}/events, "))
    }
}
