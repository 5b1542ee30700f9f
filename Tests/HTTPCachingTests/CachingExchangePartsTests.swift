import HTTPTypes
import NotificationModel
import TestSupport
import Testing

@testable import HTTPCaching

/// The tests of RFC 9111 §3.3 and §3.4 and of RFC 9110 §14 and §15.3.7.
struct CachingExchangePartsTests {
    private let fresh = [("Cache-Control", "max-age=60"), ("ETag", "\"a\"")]

    private func beginning(joins: Bool = true) async throws -> CacheBench {
        let bench = CacheBench(joins: joins)
        bench.answers(200, fresh + [("Content-Length", "10")], "01234", isComplete: false)
        let first = try await bench.get().get()
        #expect(!first.isComplete)
        #expect(first.text == "01234")
        return bench
    }

    @Test(
        arguments: [
            ("bytes=2-4", 206, "234", "bytes 2-4/10"), ("bytes=7-", 206, "789", "bytes 7-9/10"),
            ("bytes=-2", 206, "89", "bytes 8-9/10"), ("bytes=10-", 416, "", "bytes */10"),
            ("bytes=4-2", 200, "0123456789", nil), ("bytes=0-1,3-4", 200, "0123456789", nil),
        ] as [(String, Int, String, String?)])
    func `a range request is answered from a whole response`(range: String, status: Int, text: String, content: String?)
        async throws
    {
        let bench = CacheBench()
        bench.answers(200, fresh, "0123456789")
        _ = try await bench.get().get()
        let answer = try await bench.get([("Range", range)]).get()
        #expect(answer.status == .hit)
        #expect(answer.head.status == status)
        #expect(answer.text == text)
        #expect(answer.field("Content-Range") == content)
    }

    @Test func `a range within a stored part is answered from the cache, and any other range is forwarded`()
        async throws
    {
        let bench = CacheBench()
        bench.answers(206, fresh + [("Content-Range", "bytes 4-9/10")], "456789")
        let first = try await bench.get([("Range", "bytes=4-")]).get()
        #expect(first.head.status == 206)
        let second = try await bench.get([("Range", "bytes=-3")]).get()
        #expect(second.status == .hit)
        #expect(second.text == "789")
        bench.answers(206, fresh + [("Content-Range", "bytes 0-3/10")], "0123")
        #expect(try await bench.get([("Range", "bytes=0-3")]).get().status == .miss)
        // The two parts now form the whole representation.
        let whole = try await bench.get().get()
        #expect(whole.status == .hit)
        #expect(whole.head.status == 200)
        #expect(whole.text == "0123456789")
        #expect(whole.field("Content-Range") == nil)
        #expect(whole.field("Content-Length") == "10")
        #expect(await bench.store.all.count == 1)
    }

    @Test func `a 206 with all bytes is stored as a whole response`() async throws {
        let bench = CacheBench()
        bench.answers(206, fresh + [("Content-Range", "bytes 0-4/5")], "01234")
        _ = try await bench.get([("Range", "bytes=0-")]).get()
        let answer = try await bench.get().get()
        #expect(answer.head.status == 200)
        #expect(answer.text == "01234")
        #expect(answer.field("Content-Range") == nil)
    }

    @Test func `the cache requests only the missing rest of a body if it has stored the beginning`() async throws {
        let bench = try await beginning()
        bench.answers(206, fresh + [("Content-Range", "bytes 5-9/10")], "56789")
        let answer = try await bench.get().get()
        #expect(bench.asked.last?.fields[.range] == "bytes=5-")
        #expect(bench.asked.last?.fields[.ifRange] == "\"a\"")
        #expect(answer.isComplete)
        #expect(answer.head.status == 200)
        #expect(answer.text == "0123456789")
        #expect(answer.field("Content-Length") == "10")
        #expect(try await bench.get().get().status == .hit)
        #expect(await bench.store.all.count == 1)
    }

    @Test func `an incomplete rest is combined with the stored beginning`() async throws {
        let bench = try await beginning()
        bench.answers(206, fresh + [("Content-Range", "bytes 5-9/10")], "56", isComplete: false)
        let answer = try await bench.get().get()
        #expect(!answer.isComplete)
        #expect(answer.text == "0123456")
        bench.answers(206, fresh + [("Content-Range", "bytes 7-9/10")], "789")
        #expect(try await bench.get().get().text == "0123456789")
        #expect(bench.asked.last?.fields[.range] == "bytes=7-")
    }

    @Test func `a changed representation replaces the stored beginning`() async throws {
        let bench = try await beginning()
        bench.answers(200, [("Cache-Control", "max-age=60"), ("ETag", "\"b\"")], "another")
        #expect(try await bench.get().get().text == "another")
        #expect(await bench.store.all.count == 1)
        #expect(bench.asked.count == 2)
    }

    @Test(
        arguments: [
            (206, "bytes 4-9/10", "\"a\"", "456789"), (206, "bytes 6-9/10", "\"a\"", "6789"),
            (206, "bytes 5-9/10", "\"b\"", "56789"), (206, "bytes 5-9/10", "W/\"a\"", "56789"),
            (206, "bytes 5-9/11", "\"a\"", "56789"), (206, "bytes 5-9/10", "\"a\"", "567"), (206, "", "\"a\"", "56789"),
            (416, "bytes */5", "\"a\"", ""),
        ])
    func `the cache requests the whole representation after a response with a wrong range`(
        status: Int, range: String, tag: String, text: String
    ) async throws {
        let bench = try await beginning()
        bench.answers(status, [("ETag", tag), ("Content-Range", range)], text)
        bench.answers(200, fresh, "0123456789")
        let answer = try await bench.get().get()
        #expect(answer.text == "0123456789")
        #expect(bench.asked.count == 3)
        #expect(bench.asked.last?.fields.isEmpty == true)
        #expect(await bench.store.all.count == 1)
    }

    @Test func `the cache requests the whole representation if its store cannot combine files`() async throws {
        let bench = try await beginning(joins: false)
        bench.answers(206, fresh + [("Content-Range", "bytes 5-9/10")], "56789")
        bench.answers(200, fresh, "0123456789")
        #expect(try await bench.get().get().text == "0123456789")
    }

    @Test func `an older whole response is used if the origin fails, even if a newer part is stored`() async throws {
        let bench = CacheBench()
        bench.answers(200, fresh, "old")
        _ = try await bench.get().get()
        bench.pass(100)
        bench.answers(
            200, [("Cache-Control", "max-age=60"), ("ETag", "\"b\""), ("Content-Length", "10")], "01234",
            isComplete: false)
        #expect(try await !bench.get().get().isComplete)
        bench.fails()
        let stale = try await bench.get().get()
        #expect(stale.status == .stale)
        #expect(stale.text == "old")
        bench.answers(206, [("ETag", "\"b\""), ("Content-Range", "bytes 5-9/10")], "56789")
        #expect(try await bench.get().get().text == "0123456789")
        #expect(await bench.store.all.count == 1)
    }

    @Test func `the cache keeps a stored response if the beginning of a newer response cannot be stored`() async throws
    {
        let bench = CacheBench()
        bench.answers(200, fresh, "old")
        _ = try await bench.get().get()
        bench.pass(100)
        bench.answers(200, [("Cache-Control", "max-age=60"), ("ETag", "W/\"b\"")], "01234", isComplete: false)
        #expect(try await bench.get().get().id == nil)
        bench.fails()
        #expect(try await bench.get().get().text == "old")
    }

    @Test func `at most eight separate parts are stored`() async throws {
        let bench = CacheBench()
        for index in 0..<12 {
            let range = "\(index * 2)-\(index * 2)"
            bench.answers(206, fresh + [("Content-Range", "bytes \(range)/100")], "x")
            _ = try await bench.get([("Range", "bytes=\(range)")]).get()
            bench.pass(1)
        }
        #expect(await bench.store.all.count == 8)
        #expect(try await bench.get([("Range", "bytes=22-22")]).get().status == .hit)
    }
}
