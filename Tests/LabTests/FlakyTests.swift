import Lab
import Testing

@Suite(.timeLimit(.minutes(1)))
struct FlakyTests {
    @Test func `faults after the flaky segment of a path apply only to the first requests`() async throws {
        try await withMediaOrigin { origin in
            for expected in [100, 100, 3000, 3000] {
                let reply = try await Exchange.get("/flaky/2/truncate/after/100/photo.jpg", from: origin)
                #expect(reply.head["content-length"] == "3000")
                #expect(reply.body.count == expected)
            }
            for expected in [RawConnection.End.reset, .closed] {
                let reply = try await Exchange.get("/flaky/1/reset/after/100/photo.jpg", from: origin)
                #expect(reply.end == expected)
            }
        }
    }

    @Test func `faults before the flaky segment of a path apply to all requests`() async throws {
        try await withMediaOrigin { origin in
            let target = "/header/Cache-Control:max-age=1/flaky/1/header/-ETag/retry-after/3/429/photo.jpg"
            let first = try await Exchange.get(target, from: origin)
            #expect(first.head.status == 429)
            #expect(first.head["retry-after"] == "3")
            let second = try await Exchange.get(target, from: origin)
            #expect(second.head.status == 200)
            #expect(second.head["retry-after"] == nil)
            #expect(second.head["etag"] != nil)
            #expect([first, second].allSatisfy { $0.head["cache-control"] == "max-age=1" })
        }
    }

    @Test func `several flaky faults in one path cause a sequence of different failures`() async throws {
        try await withMediaOrigin { origin in
            var seen: [Int] = []
            for _ in 0..<4 {
                seen.append(try await Exchange.get("/flaky/2/status/500/photo.jpg", from: origin).head.status)
                seen.append(
                    try await Exchange.get("/flaky/3/header/A:b/flaky/1/photo.jpg", from: origin).head.status)
            }
            #expect(seen == [500, 503, 500, 200, 200, 200, 200, 200])
        }
    }

    @Test func `a flaky path before a redirect fails with 503`() async throws {
        try await withMediaOrigin { origin in
            var seen: [Int] = []
            for _ in 0..<3 {
                seen.append(try await Exchange.get("/flaky/2/redirect/1/photo.jpg", from: origin).head.status)
            }
            #expect(seen == [503, 503, 302])
        }
    }
}
