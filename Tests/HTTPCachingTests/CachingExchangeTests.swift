import FoundationEssentials
import HTTPTypes
import NotificationModel
import TestSupport
import Testing

@testable import HTTPCaching

/// RFC 9111 §4, §4.3, §5.1.
struct CachingExchangeTests {
    @Test func `what is fresh is answered without asking`() async throws {
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

    @Test func `what is stale is validated, and is fresh again`() async throws {
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

    @Test func `a new representation takes the place of the old one`() async throws {
        let bench = CacheBench()
        bench.answers(200, [("Cache-Control", "max-age=60"), ("ETag", "\"a\"")], "old")
        _ = try await bench.get().get()
        bench.pass(100)
        bench.answers(200, [("Cache-Control", "max-age=60"), ("ETag", "\"b\"")], "new")
        #expect(try await bench.get().get().text == "new")
        #expect(try await bench.get().get().status == .hit)
        #expect(await bench.store.all.count == 1)
    }

    @Test func `a 304 that confirms something else is asked again`() async throws {
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

    @Test func `what forbids storing is not stored, nor what it would replace kept`() async throws {
        let bench = CacheBench()
        bench.answers(200, [("Cache-Control", "max-age=60"), ("ETag", "\"a\"")], "old")
        _ = try await bench.get().get()
        bench.pass(100)
        bench.answers(200, [("Cache-Control", "no-store")], "new")
        let answer = try await bench.get().get()
        #expect(answer.id == nil)
        #expect(await bench.store.all.isEmpty)
    }

    @Test func `a 304 may forbid to store what it confirms`() async throws {
        let bench = CacheBench()
        bench.answers(200, [("Cache-Control", "max-age=60"), ("ETag", "\"a\"")], "old")
        _ = try await bench.get().get()
        bench.pass(100)
        bench.answers(304, [("Cache-Control", "no-store"), ("ETag", "\"a\"")])
        #expect(try await bench.get().get().text == "old")
        #expect(await bench.store.all.isEmpty)
    }

    @Test func `lost bytes are fetched again, without a condition`() async throws {
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

    @Test func `an empty body is no lost one`() async throws {
        let bench = CacheBench()
        bench.answers(204, [("Cache-Control", "max-age=60")])
        _ = try await bench.get().get()
        #expect(try await bench.get().get().status == .hit)
    }

    @Test func `variants are kept beside each other`() async throws {
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

    @Test func `the origin may say that another variant is right`() async throws {
        let bench = CacheBench()
        let fields = [("Cache-Control", "max-age=60"), ("Vary", "Accept"), ("ETag", "\"png\"")]
        bench.answers(200, fields, "png")
        _ = try await bench.get([("Accept", "image/png")]).get()
        bench.answers(304, fields)
        let answer = try await bench.get([("Accept", "*/*")]).get()
        #expect(answer.status == .revalidated)
        #expect(answer.text == "png")
    }

    @Test func `a caller that has it gets a 304`() async throws {
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

    @Test func `the caller's tags go to the origin with ours`() async throws {
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

    @Test func `fields that no-cache names are left out until they are validated`() async throws {
        let bench = CacheBench()
        let fields = [("Cache-Control", "max-age=60, no-cache=\"X\""), ("ETag", "\"a\""), ("X", "1")]
        bench.answers(200, fields, "picture")
        #expect(try await bench.get().get().field("X") == "1")
        #expect(try await bench.get().get().field("X") == nil)
        bench.pass(100)
        bench.answers(304, [("ETag", "\"a\"")])
        #expect(try await bench.get().get().field("X") == "1")
    }

    @Test func `only-if-cached never asks`() async throws {
        let bench = CacheBench()
        let answer = try await bench.get([("Cache-Control", "only-if-cached")]).get()
        #expect(answer.head.status == 504)
        #expect(bench.asked.isEmpty)
    }

    @Test(arguments: [
        ("Cache-Control", "no-store"), ("If-Match", "\"a\""), ("If-Unmodified-Since", CacheBench.date(0)),
    ])
    func `some requests pass by`(name: String, value: String) async throws {
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

    @Test func `the caller's date gives way to what is stored, which answers to it`() async throws {
        let bench = CacheBench()
        bench.answers(200, [("Cache-Control", "max-age=60"), ("ETag", "\"a\"")], "picture")
        _ = try await bench.get().get()
        bench.pass(100)
        bench.answers(304, [("ETag", "\"a\""), ("Last-Modified", CacheBench.date(-500))])
        let answer = try await bench.get([("If-Modified-Since", CacheBench.date(-400))]).get()
        #expect(answer.head.status == 304)
        #expect(bench.asked.last?.fields.contains(.ifModifiedSince) == false)
    }

    @Test func `bytes that do not begin the file are put in one of their own`() async throws {
        let bench = CacheBench()
        let file = try MemoryResponseStore.file(Array("--picture".utf8))
        let request = OriginRequest(.get, CacheBench.url)
        let answer = await bench.exchange.exchange(request, key: CacheBench.url) { _ in
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
