import HTTPTypes
import NotificationModel
import TestSupport
import Testing

@testable import HTTPCaching

/// The tests of RFC 9111 §4.3.5 and §4.4 and of RFC 9110 §9.3.
struct CachingExchangeMethodsTests {
    private let fresh = [("Cache-Control", "max-age=60"), ("ETag", "\"a\"")]

    @Test func `a HEAD request is answered from a stored GET response`() async throws {
        let bench = CacheBench()
        bench.answers(200, fresh + [("Content-Length", "7")], "picture")
        _ = try await bench.get().get()
        let answer = try await bench.get(method: .head).get()
        #expect(answer.status == .hit)
        #expect(answer.field("Content-Length") == "7")
        #expect(answer.body.bytes.isEmpty)
    }

    @Test func `a response to HEAD makes a stored GET response fresh again`() async throws {
        let bench = CacheBench()
        bench.answers(200, fresh + [("X", "1")], "picture")
        _ = try await bench.get().get()
        bench.pass(100)
        bench.answers(200, fresh + [("Content-Length", "7")])
        let answer = try await bench.get(method: .head).get()
        #expect(answer.status == .miss)
        #expect(answer.field("X") == "1")
        #expect(bench.asked.last?.method == .head)
        #expect(bench.asked.last?.fields.isEmpty == true)
        #expect(try await bench.get().get().status == .hit)
    }

    @Test func `a response to HEAD with another tag removes the stored GET response`() async throws {
        let bench = CacheBench()
        bench.answers(200, fresh, "picture")
        _ = try await bench.get().get()
        bench.pass(100)
        bench.answers(200, [("ETag", "\"b\"")])
        _ = try await bench.get(method: .head).get()
        #expect(await bench.store.all.isEmpty)
    }

    @Test func `a response to HEAD is not stored`() async throws {
        let bench = CacheBench()
        bench.answers(200, fresh)
        _ = try await bench.get(method: .head).get()
        #expect(await bench.store.all.isEmpty)
    }

    @Test func `an unsafe method removes the stored responses of the request's URL and its Location`() async throws {
        let bench = CacheBench()
        let other = "http://origin.test/a/other.jpg"
        for url in [CacheBench.url, other] {
            bench.answers(200, fresh, "picture")
            _ = try await bench.get(url: url).get()
        }
        bench.answers(500)
        _ = try await bench.get(method: .post).get()
        #expect(await bench.store.all.count == 2)
        bench.answers(201, [("Location", "other.jpg")])
        _ = try await bench.get(method: .post).get()
        #expect(await bench.store.all.isEmpty)
    }

    @Test func `a response to POST may answer a later GET`() async throws {
        let bench = CacheBench()
        bench.answers(200, fresh, "old")
        _ = try await bench.get().get()
        bench.answers(200, fresh + [("Content-Location", CacheBench.url)], "new")
        _ = try await bench.get(method: .post).get()
        let answer = try await bench.get().get()
        #expect(answer.status == .hit)
        #expect(answer.text == "new")
        #expect(await bench.store.all.count == 1)
    }

    @Test func `a failure of the origin is passed to the caller`() async throws {
        let bench = CacheBench()
        bench.fails(.connectFailed)
        let answer = await bench.get(method: .delete)
        #expect(throws: MediaFailure(.connectFailed, "set to fail")) { try answer.get() }
    }
}
