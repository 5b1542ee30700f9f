import HTTPTypes
import NotificationModel
import TestSupport
import Testing

@testable import HTTPCaching

/// RFC 9111 §4.3.5, §4.4; RFC 9110 §9.3.
struct CachingExchangeMethodsTests {
    private let fresh = [("Cache-Control", "max-age=60"), ("ETag", "\"a\"")]

    @Test func `a HEAD is answered from a stored GET`() async throws {
        let bench = CacheBench()
        bench.answers(200, fresh + [("Content-Length", "7")], "picture")
        _ = try await bench.get().get()
        let answer = try await bench.get(method: .head).get()
        #expect(answer.status == .hit)
        #expect(answer.field("Content-Length") == "7")
        #expect(answer.body.bytes.isEmpty)
    }

    @Test func `an answer to HEAD makes the stored GET fresh again`() async throws {
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

    @Test func `an answer to HEAD about something else removes it`() async throws {
        let bench = CacheBench()
        bench.answers(200, fresh, "picture")
        _ = try await bench.get().get()
        bench.pass(100)
        bench.answers(200, [("ETag", "\"b\"")])
        _ = try await bench.get(method: .head).get()
        #expect(await bench.store.all.isEmpty)
    }

    @Test func `an answer to HEAD alone is not stored`() async throws {
        let bench = CacheBench()
        bench.answers(200, fresh)
        _ = try await bench.get(method: .head).get()
        #expect(await bench.store.all.isEmpty)
    }

    @Test func `an unsafe method invalidates what it may have changed`() async throws {
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

    @Test func `an answer to POST may be for a later GET`() async throws {
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

    @Test func `a failure is passed on`() async throws {
        let bench = CacheBench()
        bench.fails(.connectFailed)
        let answer = await bench.get(method: .delete)
        #expect(throws: MediaFailure(.connectFailed, "told to")) { try answer.get() }
    }
}
