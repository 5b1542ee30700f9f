import Base
import FoundationEssentials
import Glibc
import LinuxIO
import NotificationModel
import ServiceLifecycle
import ServiceLifecycleTestKit
import TestSupport
import Testing

@testable import RequestCoordinator

@Suite(.timeLimit(.minutes(1)))
struct SpoolBackPressureTests {
    private let bench: SpoolBench

    init() throws { bench = try SpoolBench() }

    @Test func `no file is claimed while the coordinator is full, and claimed files keep their arrival time`()
        async throws
    {
        let coordinator = bench.coordinator
        coordinator.answer { _ in
            // The coordinator answers after it has received both files, because the spool may claim the second file
            // before the first answer.
            await coordinator.waitForSubmissions(2)
            return .full(retryAfter: .seconds(5))
        }
        try await bench.run {
            let arrived = bench.clock.date
            for number in 0..<2 { try bench.write(to: "incoming/\(number).json") }
            await coordinator.waitForSubmissions(2)
            try await bench.turn(until: 3)
            for number in 2..<20 { try bench.write(to: "incoming/\(number).json") }
            try await bench.turn(until: 10)
            #expect(bench.clock.date >= arrived + 20)
            #expect(try bench.names("claimed") == ["0.json", "1.json"])
            coordinator.answer { .accepted(FakeCoordinator.key($0)) }
            try await bench.turn { Set(coordinator.fileNames).count == 20 }
            #expect(coordinator.submissions.prefix(10).allSatisfy { ["0", "1"].contains($0.weakID?.description) })
            let first = coordinator.submissions.filter { $0.weakID?.description == "0" }
            #expect(Set(first.map(\.arrival.date)) == [arrived])
        }
        #expect(try bench.names("claimed").count == 20)
    }

    @Test func `a large file waits in incoming for memory, and small files do not wait`() async throws {
        let memory = ByteLimiter(limit: 1 << 20)
        var postponed = memory.lease(1 << 20)
        #expect(postponed != nil)
        bench.coordinator.answer { .accepted(FakeCoordinator.key($0)) }
        let padding = String(repeating: " ", count: LargePayloadExecutor.threshold)
        try await bench.run(memory: memory) {
            try bench.place("{\(padding)}", at: "incoming/large.json")
            try bench.place("{\(padding.dropFirst(2))}", at: "incoming/small.json")
            try await bench.turn(until: 1)
            #expect(bench.coordinator.fileNames == ["small.json"])
            #expect(try bench.names("incoming") == ["large.json"])
            postponed = nil
            try await bench.turn(until: 2)
            #expect(bench.coordinator.submissions.last?.lease != nil, "the lease lasts until the result is published")
        }
        #expect(try bench.names("claimed") == ["large.json", "small.json"])
    }

    @Test func `a file with many values waits in incoming for memory, and small files do not wait`() async throws {
        let values = ByteLimiter(limit: 1 << 20)
        var postponed = values.lease(1 << 20)
        #expect(postponed != nil)
        bench.coordinator.answer { .accepted(FakeCoordinator.key($0)) }
        try await bench.run(values: values) {
            let begin = bench.clock.date
            try bench.write(Self.manyValues, to: "incoming/many.json")
            // Two tasks sleep: one waits for the memory, and one for a change.
            await bench.clock.waitForSleepers(2)
            try bench.write(to: "incoming/small.json")
            await bench.coordinator.waitForSubmissions(1)
            bench.clock.advance(by: .seconds(1))
            // The file was moved back, and is claimed again.
            await bench.clock.waitForSleepers(2)
            #expect(bench.coordinator.fileNames == ["small.json"])
            postponed = nil
            await bench.coordinator.waitForSubmissions(2)
            let many = try #require(bench.coordinator.submissions.last)
            #expect(many.lease != nil)
            #expect(many.arrival.date >= begin.addingTimeInterval(1), "its budget does not run while it waits")
        }
        #expect(try bench.names("claimed") == ["many.json", "small.json"])
    }

    @Test func `a file whose values take more memory than one file may take is rejected`() async throws {
        try await bench.run(values: ByteLimiter(limit: 1 << 20, most: 1 << 20)) {
            try bench.write(Self.manyValues, to: "incoming/x.json")
            try await bench.waitFor("rejected") { $0.contains("x.json") }
        }
        #expect(try bench.reason("x")["reason"] == "too-large")
        #expect(bench.coordinator.submissions.isEmpty)
    }

    private static let manyValues = #"{"a":[\#(String(repeating: "1,", count: 20_000))1]}"#

    @Test func `a claimed file that waits for the coordinator is moved back to incoming when the spool ends`()
        async throws
    {
        bench.coordinator.answer { _ in .full(retryAfter: .seconds(5)) }
        try await bench.run {
            try bench.write(to: "incoming/x.json")
            await bench.coordinator.waitForSubmissions(1)
        }
        #expect(try bench.names("incoming") == ["x.json"])
        #expect(try bench.names("claimed").isEmpty)
    }

    @Test func `a file that a closing coordinator refuses is moved back to incoming`() async throws {
        bench.coordinator.answer { _ in .closing }
        try await bench.run {
            try bench.write(to: "incoming/x.json")
            await bench.coordinator.waitForSubmissions(1)
        }
        #expect(try bench.names("incoming") == ["x.json"])
        #expect(try bench.names("claimed").isEmpty && bench.names("rejected").isEmpty)
    }

    @Test func `a file that the journal refuses is moved back to incoming, and is tried again after a pause`()
        async throws
    {
        bench.coordinator.answer { _ in .failed("the disk is full") }
        try await bench.run {
            try bench.write(to: "incoming/x.json")
            try await bench.waitFor("incoming") { $0 == ["x.json"] && bench.coordinator.submissions.count == 1 }
            await bench.clock.waitForSleepers()
            #expect(bench.coordinator.submissions.count == 1)
            bench.coordinator.answer { .accepted(FakeCoordinator.key($0)) }
            try await bench.turn(until: 2)
        }
        #expect(bench.coordinator.submissions.count == 2)
        #expect(try bench.names("claimed") == ["x.json"])
    }

    @Test func `a file that cannot be moved back because its name is in use is tried again`() async throws {
        let bench = bench
        bench.coordinator.answer { submission in
            if submission.object == ["first": true] {
                try? bench.write("{\"first\":false}", to: "incoming/x.json")
                return .failed("the disk is full")
            }
            return .accepted(FakeCoordinator.key(submission))
        }
        try await bench.run {
            try bench.write("{\"first\":true}", to: "incoming/x.json")
            await bench.coordinator.waitForSubmissions(1)
            await bench.clock.waitForSleepers()
            bench.coordinator.answer { .accepted(FakeCoordinator.key($0)) }
            try await bench.turn(until: 2)
            bench.coordinator.know(FakeCoordinator.key(bench.coordinator.submissions[1]), as: .running)
            #expect(bench.coordinator.submissions.last?.object == ["first": true])
            try await bench.turn { try bench.names("rejected").contains("x.json") }
        }
        #expect(try FileSystem.contents(of: bench.path("rejected/x.json")) == Array("{\"first\":false}".utf8))
    }

    @Test func `a graceful shutdown waits for submitted files, and claims no more files`() async throws {
        let (opening, gate) = AsyncStream.makeStream(of: Void.self)
        bench.coordinator.answer { submission in
            for await _ in opening {}
            return .accepted(FakeCoordinator.key(submission))
        }
        let spool = try bench.spool()
        try await spool.prepare()
        try await testGracefulShutdown { trigger in
            async let run: Void = spool.run()
            try bench.write(to: "incoming/first.json")
            await bench.coordinator.waitForSubmissions(1)
            trigger.triggerGracefulShutdown()
            await spool.stopping.wait()
            await spool.loop.turn()
            try bench.write(to: "incoming/second.json")
            gate.finish()
            await run
        }
        #expect(bench.coordinator.fileNames == ["first.json"])
        #expect(try bench.names("claimed") == ["first.json"])
        #expect(try bench.names("incoming") == ["second.json"])
    }

    @Test func `the spool leaves no descriptors when it ends`() async throws {
        try await bench.run {}
        let before = LeakCensus.take()
        for _ in 0..<5 {
            try await bench.run {
                try bench.write(to: "incoming/x.json")
                try await bench.waitFor("claimed") { $0 == ["x.json"] }
            }
            try FileSystem.remove(bench.path("claimed/x.json"))
        }
        #expect(LeakCensus.take().descriptors == before.descriptors)
    }
}
