import Base
import Lab
import NotificationModel
import Testing

/// Tests of lower bounds only, because the machine may delay a timer by any time.
@Suite(.timeLimit(.minutes(1)))
struct SlowReplyTests {
    @Test(arguments: [
        "/delay/120ms/photo.jpg", "/delay/60ms/delay/60ms/photo.jpg", "/drip/120ms/photo.jpg",
        "/delay/60ms/drip/60ms/photo.jpg", "/delay/0.12s/status/200", "/slow/headers/120ms/photo.jpg",
        "/slow/headers/60ms/drip/60ms/photo.jpg", "/slow/headers/120ms/status/200",
    ])
    func `a slow response arrives completely, and not before its time`(target: String) async throws {
        try await withMediaOrigin { origin in
            let start = MonotonicInstant.now
            let reply = try await Exchange.get(target, from: origin)
            #expect(MonotonicInstant.now - start >= .milliseconds(120))
            #expect(reply.head.status == 200)
            #expect(target.hasSuffix("200") || reply.body == Media.photo)
            #expect(reply.end == .closed)
            #expect(origin.counts.responsesFinished == 1)
        }
    }

    @Test func `a delay applies before the head, and a drip applies after the head`() async throws {
        try await withMediaOrigin { origin in
            try await RawConnection.open(to: origin.port) { connection in
                try await connection.get("/drip/3600s/photo.jpg")
                #expect(try await connection.readHead().status == 200)
                #expect(origin.counts.responsesFinished == 0)
            }
            try await RawConnection.open(to: origin.port) { connection in
                try await connection.get("/delay/3600s/photo.jpg")
                #expect(await origin.waitUntil { $0.requests == 2 })
                await origin.stop()
                #expect(try await connection.readToEnd() == ([], .closed))
            }
        }
    }
}
