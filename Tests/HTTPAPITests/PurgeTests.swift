import Base
import NotificationModel
import Testing

@testable import HTTPAPI

/// Tests of the route `POST /v1/cache/purge`.
@Suite struct PurgeTests {
    private struct Cache: CachePurging {
        func purge(_ target: PurgeTarget) async throws(MediaFailure) -> PurgeReport {
            switch target {
            case .url("https://a.example/full"): throw MediaFailure(.storageFailed, "/var/lib/secret is full")
            case .host(""), .host("a b"): throw MediaFailure(.invalidURL, "a wrong host")
            default:
                var report = PurgeReport()
                report.responses = 3
                return report
            }
        }
    }

    @Test(arguments: [
        (#"{"url": "https://a.example/1"}"#, 200, #""responses":3"#), (#"{"host": "a.example"}"#, 200, #""files":0"#),
        (#"{"prefix": "https://a.example/x"}"#, 200, #""sharedFiles":0"#),
        (#"{"host": "a b"}"#, 400, "a wrong host"), (#"{"url": "https://a.example/full"}"#, 503, "storage-failed"),
        (#"{"url": "x", "host": "y"}"#, 400, "exactly one of the texts"), ("{}", 400, "exactly one of the texts"),
        (#"{"url": 7}"#, 400, "exactly one of the texts"),
        (#"{"hsot": "y"}"#, 400, "exactly one of the texts"), ("[]", 400, "not-json"),
    ])
    func `a purge accepts only a valid target`(_ body: String, _ status: Int, _ says: String) async throws {
        try await ServerBench.run(cache: Cache()) { server in
            let answer = try await server.send("POST", "/v1/cache/purge", body: body)
            #expect(answer.status == status)
            #expect(answer.body.contains(says), "\(answer.body)")
            #expect(!answer.body.contains("secret"))
        }
    }

    @Test func `the size of a purge body is limited to 64 KiB`() async throws {
        try await ServerBench.run(cache: Cache()) { server in
            let body = #"{"url": "\#(String(repeating: "x", count: 65_536))"}"#
            let answer = try await server.send("POST", "/v1/cache/purge", body: body)
            #expect(answer.status == 413)
            #expect(answer.body.contains(#""most":65536"#), "\(answer.body)")
        }
    }

    @Test func `a purge with another method or with parameters is refused`() async throws {
        try await ServerBench.run(cache: Cache()) { server in
            let read = try await server.send("GET", "/v1/cache/purge")
            #expect(read.status == 405)
            let asked = try await server.send("POST", "/v1/cache/purge?url=x", body: "{}")
            #expect(asked.status == 400)
        }
    }

    @Test func `a purge on a server without a cache is refused`() async throws {
        try await ServerBench.run(without: "/v1/cache") { server in
            let answer = try await server.send("POST", "/v1/cache/purge", body: #"{"host": "a.example"}"#)
            #expect(answer.status == 404)
        }
    }
}
