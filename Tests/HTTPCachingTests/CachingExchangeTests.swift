import FoundationEssentials
import HTTPTypes
import NotificationModel
import TestSupport
import Testing

@testable import HTTPCaching

/// The tests of RFC 9111 §4, §4.3 and §5.1.
struct CachingExchangeTests {
    @Test func `a fresh response is used without a request to the origin`() async throws {
        let bench = CacheBench()
        bench.answers(200, [("Cache-Control", "max-age=60"), ("ETag", "\"a\"")], "picture")
        let first = try await bench.get().get()
        #expect(first.status == .miss)
        #expect(first.text == "picture")
        #expect(first.field("Age") == nil)
        bench.pass(20)
        let second = try await bench.get().get()
        #expect(second.status == .hit)
        #expect(second.text == "picture")
        #expect(second.field("Age") == "20")
        #expect(second.field("Date") == CacheBench.date(0))
        #expect(second.id == first.id)
        #expect(bench.asked.count == 1)
    }

    @Test func `a stale response is validated, and is fresh after the validation`() async throws {
        let bench = CacheBench()
        let changed = CacheBench.date(-1_000)
        bench.answers(
            200, [("Cache-Control", "max-age=60"), ("ETag", "\"a\""), ("Last-Modified", changed), ("X", "1")], "picture"
        )
        let first = try await bench.get().get()
        bench.pass(100)
        bench.answers(304, [("Cache-Control", "max-age=600"), ("ETag", "\"a\""), ("Y", "2")])
        let second = try await bench.get().get()
        #expect(second.status == .revalidated)
        #expect(second.head.status == 200)
        #expect(second.text == "picture")
        #expect([second.field("X"), second.field("Y"), second.field("Age")] == ["1", "2", "0"])
        #expect(bench.asked.last?.fields[.ifNoneMatch] == "\"a\"")
        #expect(bench.asked.last?.fields[.ifModifiedSince] == changed)
        bench.pass(500)
        let third = try await bench.get().get()
        #expect(third.status == .hit)
        #expect(third.field("Age") == "500")
        #expect(third.id == first.id)
    }

    @Test func `a new representation replaces the stored representation`() async throws {
        let bench = CacheBench()
        bench.answers(200, [("Cache-Control", "max-age=60"), ("ETag", "\"a\"")], "old")
        _ = try await bench.get().get()
        bench.pass(100)
        bench.answers(200, [("Cache-Control", "max-age=60"), ("ETag", "\"b\"")], "new")
        #expect(try await bench.get().get().text == "new")
        #expect(try await bench.get().get().status == .hit)
        #expect(await bench.store.all.count == 1)
    }

    @Test func `the cache sends the request again after a 304 that confirms no stored response`() async throws {
        let bench = CacheBench()
        bench.answers(200, [("Cache-Control", "max-age=60"), ("ETag", "\"a\"")], "old")
        _ = try await bench.get().get()
        bench.pass(100)
        bench.answers(304, [("ETag", "\"b\"")])
        bench.answers(200, [("ETag", "\"b\"")], "new")
        let answer = try await bench.get().get()
        #expect(answer.text == "new")
        #expect(bench.asked.last?.fields.isEmpty == true)
        #expect(bench.asked.count == 3)
    }

    @Test func `a response with no-store is not stored, and removes the stored response`() async throws {
        let bench = CacheBench()
        bench.answers(200, [("Cache-Control", "max-age=60"), ("ETag", "\"a\"")], "old")
        _ = try await bench.get().get()
        bench.pass(100)
        bench.answers(200, [("Cache-Control", "no-store")], "new")
        let answer = try await bench.get().get()
        #expect(answer.id == nil)
        #expect(await bench.store.all.isEmpty)
    }

    @Test func `a 304 with no-store removes the response that it confirms`() async throws {
        let bench = CacheBench()
        bench.answers(200, [("Cache-Control", "max-age=60"), ("ETag", "\"a\"")], "old")
        _ = try await bench.get().get()
        bench.pass(100)
        bench.answers(304, [("Cache-Control", "no-store"), ("ETag", "\"a\"")])
        #expect(try await bench.get().get().text == "old")
        #expect(await bench.store.all.isEmpty)
    }

    @Test func `a response is fetched again without a condition if its stored bytes are lost`() async throws {
        let bench = CacheBench()
        bench.answers(200, [("Cache-Control", "max-age=60"), ("ETag", "\"a\"")], "picture")
        _ = try await bench.get().get()
        await bench.store.loseBytes()
        bench.answers(200, [("Cache-Control", "max-age=60"), ("ETag", "\"a\"")], "picture")
        let answer = try await bench.get().get()
        #expect(answer.status == .miss)
        #expect(answer.text == "picture")
        #expect(bench.asked.last?.fields.contains(.ifNoneMatch) == false)
        #expect(await bench.store.all.count == 1)
    }

    @Test func `a stored response with an empty body is used`() async throws {
        let bench = CacheBench()
        bench.answers(204, [("Cache-Control", "max-age=60")])
        _ = try await bench.get().get()
        #expect(try await bench.get().get().status == .hit)
    }

    @Test func `the variants of a response are stored separately`() async throws {
        let bench = CacheBench()
        let fields = [("Cache-Control", "max-age=60"), ("Vary", "Accept")]
        bench.answers(200, fields + [("ETag", "\"png\"")], "png")
        _ = try await bench.get([("Accept", "image/png")]).get()
        bench.answers(200, fields + [("ETag", "\"webp\"")], "webp")
        _ = try await bench.get([("Accept", "image/webp")]).get()
        #expect(bench.asked.last?.fields[.ifNoneMatch] == "\"png\"")
        #expect(try await bench.get([("Accept", "image/png")]).get().text == "png")
        #expect(try await bench.get([("Accept", "image/webp")]).get().text == "webp")
        #expect(bench.asked.count == 2)
    }

    @Test func `the cache uses a stored variant for another request after a 304 that confirms the variant`()
        async throws
    {
        let bench = CacheBench()
        let fields = [("Cache-Control", "max-age=60"), ("Vary", "Accept"), ("ETag", "\"png\"")]
        bench.answers(200, fields, "png")
        _ = try await bench.get([("Accept", "image/png")]).get()
        bench.answers(304, fields)
        let answer = try await bench.get([("Accept", "*/*")]).get()
        #expect(answer.status == .revalidated)
        #expect(answer.text == "png")
    }

    @Test func `a caller with a current tag gets a 304`() async throws {
        let bench = CacheBench()
        bench.answers(
            200, [("Cache-Control", "max-age=60"), ("ETag", "\"a\""), ("Content-Type", "image/png")], "picture")
        _ = try await bench.get().get()
        let answer = try await bench.get([("If-None-Match", "\"x\", \"a\"")]).get()
        #expect(answer.head.status == 304)
        #expect(answer.status == .hit)
        #expect(answer.field("ETag") == "\"a\"")
        #expect(answer.field("Content-Type") == nil)
        #expect(answer.body.bytes.isEmpty)
        #expect(try await bench.get([("If-None-Match", "\"x\"")]).get().text == "picture")
        #expect(bench.asked.count == 1)
    }

    @Test func `the tags of the caller and of the cache are sent to the origin`() async throws {
        let bench = CacheBench()
        bench.answers(200, [("Cache-Control", "max-age=60"), ("ETag", "\"a\"")], "old")
        _ = try await bench.get().get()
        bench.pass(100)
        bench.answers(304, [("ETag", "\"b\"")])
        let answer = try await bench.get([("If-None-Match", "\"b\"")]).get()
        #expect(answer.head.status == 304)
        #expect(bench.asked.last?.fields[.ifNoneMatch] == "\"a\", \"b\"")
        #expect(bench.asked.count == 2)
    }

    @Test func `a field that no-cache names is omitted until the response is validated`() async throws {
        let bench = CacheBench()
        let fields = [("Cache-Control", "max-age=60, no-cache=\"X\""), ("ETag", "\"a\""), ("X", "1")]
        bench.answers(200, fields, "picture")
        #expect(try await bench.get().get().field("X") == "1")
        #expect(try await bench.get().get().field("X") == nil)
        bench.pass(100)
        bench.answers(304, [("ETag", "\"a\"")])
        #expect(try await bench.get().get().field("X") == "1")
    }

    @Test func `a request with only-if-cached is never sent to the origin`() async throws {
        let bench = CacheBench()
        let answer = try await bench.get([("Cache-Control", "only-if-cached")]).get()
        #expect(answer.head.status == 504)
        #expect(bench.asked.isEmpty)
    }

    @Test(arguments: [
        ("Cache-Control", "no-store"), ("If-Match", "\"a\""), ("If-Unmodified-Since", CacheBench.date(0)),
    ])
    func `a request with no-store or a condition for the origin bypasses the cache`(name: String, value: String)
        async throws
    {
        let bench = CacheBench()
        bench.answers(200, [("Cache-Control", "max-age=60"), ("ETag", "\"a\"")], "stored")
        _ = try await bench.get().get()
        bench.answers(200, [("Cache-Control", "max-age=60")], "asked")
        let answer = try await bench.get([(name, value)]).get()
        #expect(answer.text == "asked")
        #expect(answer.id == nil)
        #expect(bench.asked.last?.fields == CacheBench.fields([(name, value)]))
        #expect(try await bench.get().get().text == "stored")
    }

    @Test func `the cache does not forward the date of the caller, and compares it with the stored response`()
        async throws
    {
        let bench = CacheBench()
        bench.answers(200, [("Cache-Control", "max-age=60"), ("ETag", "\"a\"")], "picture")
        _ = try await bench.get().get()
        bench.pass(100)
        bench.answers(304, [("ETag", "\"a\""), ("Last-Modified", CacheBench.date(-500))])
        let answer = try await bench.get([("If-Modified-Since", CacheBench.date(-400))]).get()
        #expect(answer.head.status == 304)
        #expect(bench.asked.last?.fields.contains(.ifModifiedSince) == false)
    }

    @Test func `a body that does not begin at the start of its file is stored in a new file`() async throws {
        let bench = CacheBench()
        let file = try MemoryResponseStore.file(Array("--picture".utf8))
        let request = OriginRequest(.get, CacheBench.url)
        let answer = await bench.exchange.exchange(request, key: CacheBench.url) { _, _ in
            let head = ResponseHead(status: 200, fields: CacheBench.fields([("Cache-Control", "max-age=60")]))
            return .success(
                OriginResponse(
                    head: head, body: ResponseBody(file: file, bytes: 2..<9), requestTime: bench.now,
                    responseTime: bench.now))
        }
        #expect(try answer.get().text == "picture")
        #expect(try await bench.get().get().text == "picture")
    }
}
