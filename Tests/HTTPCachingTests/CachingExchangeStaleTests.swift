import HTTPTypes
import NotificationModel
import Testing

@testable import HTTPCaching

/// The tests of RFC 9111 §4.2.4 and of RFC 5861.
struct CachingExchangeStaleTests {
    private func stale(_ control: String, policy: CachingPolicy = CachingPolicy()) async throws -> CacheBench {
        let bench = CacheBench(policy: policy)
        bench.answers(200, [("Cache-Control", control), ("ETag", "\"a\"")], "old")
        _ = try await bench.get().get()
        bench.pass(100)
        return bench
    }

    @Test(
        arguments: [
            DegradationReason.dnsFailed, .connectFailed, .tlsFailed, .connectionLost, .truncated, .hostResting,
            .overloaded, .budgetExceeded,
        ])
    func `a stale response replaces the failure of an unreachable origin`(reason: DegradationReason) async throws {
        let bench = try await stale("max-age=60")
        bench.fails(reason)
        let answer = try await bench.get().get()
        #expect(answer.status == .stale)
        #expect(answer.text == "old")
        #expect(answer.field("Age") == "100")
    }

    @Test(arguments: [DegradationReason.cancelled, .forbiddenHost, .forbiddenAddress, .tooLarge, .storageFailed])
    func `a refused or cancelled request gets no stale response`(reason: DegradationReason) async throws {
        let bench = try await stale("max-age=60")
        bench.fails(reason)
        guard case .failure(let failure) = await bench.get() else { throw Unexpected() }
        #expect(failure.reason == reason)
    }

    @Test(arguments: [(500, true), (502, true), (503, true), (504, true), (501, false), (404, false), (403, false)])
    func `a stale response replaces a server error of the origin`(status: Int, isStale: Bool) async throws {
        let bench = try await stale("max-age=60")
        bench.answers(status, [], "sorry")
        let answer = try await bench.get().get()
        #expect(answer.text == (isStale ? "old" : "sorry"))
        #expect(answer.status == (isStale ? .stale : .miss))
    }

    @Test(arguments: [
        ("must-revalidate", false), ("no-cache", false), ("stale-if-error=39", false), ("stale-if-error=40", true),
    ])
    func `a stale response is not used if one of its directives forbids the use`(directive: String, isStale: Bool)
        async throws
    {
        let bench = try await stale("max-age=60, \(directive)")
        bench.fails()
        let answer = await bench.get()
        #expect((try? answer.get().status) == (isStale ? .stale : nil))
        bench.answers(503, [], "sorry")
        #expect(try await bench.get().get().text == (isStale ? "old" : "sorry"))
    }

    @Test func `a server error does not replace a stored response`() async throws {
        let bench = try await stale("max-age=60, must-revalidate")
        bench.answers(503, [], "sorry")
        _ = await bench.get()
        bench.answers(304, [("ETag", "\"a\"")])
        #expect(try await bench.get().get().text == "old")
    }

    @Test func `a stale response may be used while it is validated`() async throws {
        let bench = try await stale("max-age=60, stale-while-revalidate=60")
        let condition = [("If-Modified-Since", CacheBench.date(-500))]
        let answer = try await bench.get(condition).get()
        #expect(answer.status == .stale)
        #expect(answer.text == "old")
        #expect(bench.asked.count == 1)
        #expect(answer.mustBeValidated)
        bench.answers(200, [("Cache-Control", "max-age=60"), ("ETag", "\"b\"")], "new")
        await bench.revalidate(condition)
        #expect(bench.asked.last?.fields[.ifNoneMatch] == "\"a\"")
        #expect(bench.asked.last?.fields.contains(.ifModifiedSince) == false)
        let next = try await bench.get().get()
        #expect(next.status == .hit)
        #expect(next.text == "new")
        #expect(!next.mustBeValidated)
    }

    @Test func `a stale part does not answer a request for the whole representation`() async throws {
        let bench = CacheBench()
        bench.answers(
            206, [("Cache-Control", "max-age=60"), ("ETag", "\"a\""), ("Content-Range", "bytes 0-2/10")], "old")
        _ = try await bench.get([("Range", "bytes=0-2")]).get()
        bench.pass(100)
        bench.fails()
        guard case .failure = await bench.get() else { throw Unexpected() }
        bench.fails()
        #expect(try await bench.get([("Range", "bytes=1-2")]).get().text == "ld")
    }
}

private struct Unexpected: Error {}
