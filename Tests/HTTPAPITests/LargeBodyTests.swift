import Base
import Dispatch
import FoundationEssentials
import NotificationModel
import TestSupport
import Testing

@testable import HTTPAPI

@Suite(.timeLimit(.minutes(1)))
struct LargeBodyTests {
    /// A recorder that delays the submission of large bodies until a small one is submitted.
    private final class Scale: Sendable {
        let firstLarge: AsyncStream<Void>
        private let tellLarge: AsyncStream<Void>.Continuation
        private let order = Guarded<[Int]>([])
        private let small = DispatchSemaphore(value: 0)

        init() { (firstLarge, tellLarge) = AsyncStream.makeStream(of: Void.self) }

        /// The lengths of the submitted bodies, in the order of submission.
        var handedIn: [Int] { order.withLock(\.self) }

        func take(_ submission: Submission) {
            if submission.body.count > LargePayloadExecutor.threshold {
                tellLarge.yield()
                // The wait simulates computing. If the small body is delayed by this wait, the wait ends after five
                // seconds, and the recorded order shows the delay.
                _ = small.wait(timeout: .now() + 5)
            }
            order.withLock { $0.append(submission.body.count) }
            small.signal()
        }
    }

    private static func body(_ count: Int) -> String { "{\(String(repeating: " ", count: count - 2))}" }

    @Test func `a small body does not wait for memory while large bodies wait for memory`() async throws {
        let scale = Scale()
        let coordinator = FakeCoordinator { submission in
            scale.take(submission)
            return .accepted(FakeCoordinator.key(of: submission))
        }
        let largeCount = 2 * ProcessInfo.processInfo.activeProcessorCount
        try await ServerBench.run(coordinator: coordinator, large: LargePayloadExecutor(OwnThreadExecutor())) { bench in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<largeCount {
                    group.addTask {
                        try await bench.send(
                            "POST", "/v1/notifications", ["Prefer: respond-async"],
                            body: Self.body(LargePayloadExecutor.threshold + 1)
                        ).status
                    }
                }
                for await _ in scale.firstLarge { break }
                let answer = try await bench.send(
                    "POST", "/v1/notifications", ["Prefer: respond-async"], body: Self.body(20))
                #expect(answer.status == 202)
                for try await status in group { #expect(status == 202) }
            }
        }
        #expect(scale.handedIn.first == 20)
        #expect(scale.handedIn.count == largeCount + 1)
    }

    @Test func `the server refuses a large body after a second without memory, and accepts a small body`()
        async throws
    {
        let clock = ManualClock()
        let memory = ByteLimiter(limit: 1 << 20)
        let coordinator = FakeCoordinator { .accepted(FakeCoordinator.key(of: $0)) }
        try await ServerBench.run(coordinator: coordinator, clock: clock, largeBodies: memory) { bench in
            var leased = memory.lease(1 << 20)
            #expect(leased != nil)
            async let large = bench.send(
                "POST", "/v1/notifications", ["Prefer: respond-async"],
                body: Self.body(LargePayloadExecutor.threshold + 1))
            await clock.waitForSleepers(1)
            let small = try await bench.send(
                "POST", "/v1/notifications", ["Prefer: respond-async"], body: Self.body(LargePayloadExecutor.threshold))
            #expect(small.status == 202)
            clock.advance(by: .seconds(1))
            let refused = try await large
            #expect(refused.status == 503)
            #expect(refused["retry-after"] == "1")
            leased = nil
            let again = try await bench.send(
                "POST", "/v1/notifications", ["Prefer: respond-async"],
                body: Self.body(LargePayloadExecutor.threshold + 1))
            #expect(again.status == 202)
        }
        #expect(coordinator.submissions.count == 2)
    }

    @Test func `a caller that waits for a joined request does not hold the lease of its body`() async throws {
        let body = Self.body(LargePayloadExecutor.threshold + 1)
        let coordinator = FakeCoordinator { .joined(FakeCoordinator.key(of: $0)) }
        let key = FakeCoordinator.key("new")
        coordinator.set(.queued, of: key)
        try await ServerBench.run(coordinator: coordinator, largeBodies: ByteLimiter(limit: body.utf8.count)) { bench in
            async let first = bench.send("POST", "/v1/notifications", body: body)
            await coordinator.wait { $0.waits == 1 }
            let second = try await bench.send("POST", "/v1/notifications", ["Prefer: respond-async"], body: body)
            #expect(second.status == 202)
            coordinator.emit(key)
            #expect(try await first.status == 200)
        }
    }

    @Test func `a body of any length with many JSON values waits for memory`() async throws {
        let values = ByteLimiter(limit: 4 << 20)
        let coordinator = FakeCoordinator { submission in
            #expect(submission.lease != nil && values.lease(4 << 20) == nil)
            return .accepted(FakeCoordinator.key(of: submission))
        }
        var settings = HTTPServerSettings()
        settings.memoryWait = .milliseconds(1)
        let members = (0..<20_000).map { #""\#($0)":1"# }.joined(separator: ",")
        try await ServerBench.run(settings, coordinator: coordinator, largeValues: values) { bench in
            let leased = values.lease(1 << 20)
            let refused = try await bench.send(
                "POST", "/v1/notifications", ["Prefer: respond-async"], body: "{\(members)}")
            #expect(refused.status == 503)
            leased?.release()
            let taken = try await bench.send(
                "POST", "/v1/notifications", ["Prefer: respond-async"], body: "{\(members)}")
            #expect(taken.status == 202)
        }
    }

    @Test(arguments: [(4 << 20, 413), (.max, 202)])
    func `a body whose values need more memory than one body may take is refused`(_ most: Int, _ status: Int)
        async throws
    {
        let values = ByteLimiter(limit: 4 << 20, most: most)
        let coordinator = FakeCoordinator { .accepted(FakeCoordinator.key(of: $0)) }
        let numbers = String(repeating: "1,", count: 100_000)
        try await ServerBench.run(coordinator: coordinator, largeValues: values) { bench in
            let answer = try await bench.send(
                "POST", "/v1/notifications", ["Prefer: respond-async"], body: #"{"a":[\#(numbers)1]}"#)
            #expect(answer.status == status)
        }
        #expect(coordinator.submissions.count == (status == 202 ? 1 : 0))
    }

    @Test(arguments: [(1, 200, true), (64, 5_000, true), (1, 5_000, false)])
    func `the connection of a body with too many small chunks is closed`(
        _ size: Int, _ count: Int, _ isTaken: Bool
    ) async throws {
        let coordinator = FakeCoordinator { .accepted(FakeCoordinator.key(of: $0)) }
        try await ServerBench.run(coordinator: coordinator) { bench in
            let space = "\(String(size, radix: 16))\r\n\(String(repeating: " ", count: size))\r\n"
            let answer = try await RawConnection.open(to: .tcp(bench.port)) { connection in
                try await connection.send(
                    "POST /v1/notifications HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                        + "Prefer: respond-async\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + String(repeating: space, count: count) + "2\r\n{}\r\n0\r\n\r\n")
                return await connection.readToEnd()
            }
            #expect(answer.hasPrefix("HTTP/1.1 202") == isTaken)
        }
        #expect(coordinator.submissions.count == (isTaken ? 1 : 0))
    }

    @Test func `a body of undeclared length takes a lease when it becomes large`() async throws {
        let memory = ByteLimiter(limit: 1 << 20)
        let coordinator = FakeCoordinator { submission in
            #expect(memory.lease(1 << 20) == nil)
            return .accepted(FakeCoordinator.key(of: submission))
        }
        try await ServerBench.run(coordinator: coordinator, largeBodies: memory) { bench in
            let body = Self.body(LargePayloadExecutor.threshold + 1)
            let status = try await RawConnection.open(to: .tcp(bench.port)) { connection in
                try await connection.send(
                    "POST /v1/notifications HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                        + "Prefer: respond-async\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n0\r\n\r\n")
                return try await connection.readAnswer().status
            }
            #expect(status == 202)
        }
    }

    @Test(arguments: [(0, false), (1, true)])
    func `only a body beyond the threshold is submitted on the LargePayloadExecutor`(excess: Int, isInLane: Bool)
        async throws
    {
        let lane = OwnThreadExecutor()
        let places = Guarded<[Bool]>([])
        let coordinator = FakeCoordinator { submission in
            places.withLock { $0.append(lane.isCurrent) }
            return .accepted(FakeCoordinator.key(of: submission))
        }
        try await ServerBench.run(coordinator: coordinator, large: LargePayloadExecutor(lane)) { bench in
            let answer = try await bench.send(
                "POST", "/v1/notifications", ["Prefer: respond-async"],
                body: Self.body(LargePayloadExecutor.threshold + excess))
            #expect(answer.status == 202)
        }
        #expect(places.withLock(\.self) == [isInLane])
    }
}
