import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import MediaFetcher

/// The tests for leaks. Each runs in a separate process, in which no other test opens descriptors.
@Suite(.timeLimit(.minutes(2)))
struct ResolverLeakPlainTests {
    /// Counts the sockets and the threads of a resolver and its loop. The runtime may open other descriptors and start
    /// other threads at any time.
    private static func census() throws -> LeakCensus {
        var census = LeakCensus.take()
        census.descriptors = census.descriptors.filter { $0.key == "socket" }
        census.threads = try FileSystem.names(in: "/proc/self/task").filter { thread in
            let name = (try? FileSystem.contents(of: "/proc/self/task/\(thread)/comm")) ?? []
            return String(decoding: name, as: UTF8.self).hasPrefix("agd-")
        }.count
        return census
    }

    /// Returns the resident memory of this process, in bytes.
    private static func residentBytes() throws -> Int {
        let fields = String(decoding: try FileSystem.contents(of: "/proc/self/statm"), as: UTF8.self).split(
            separator: " ")
        return (Int(fields[1]) ?? 0) * 4_096
    }

    @Test func `a resolver with a silent server refuses names over its limit, and leaks no socket`() async {
        await #expect(processExitsWith: .success) {
            try await withNames { _ in
                []
            } change: {
                $0.questions = 100
            } _: { bench in
                let before = try Self.census()
                let asked = (0..<100).map { bench.ask("name-\($0).example") }
                await bench.server.waitForQuestions(200)
                try await bench.waitForAskers(100)
                let during = try Self.census()
                #expect(during.threads == before.threads)
                #expect(during.descriptors["socket", default: 0] == before.descriptors["socket", default: 0] + 100)
                let refused = (100..<1_000).map { bench.ask("name-\($0).example") }
                for task in refused { #expect(await task.value.failure?.reason == .overloaded) }
                for task in asked { task.cancel() }
                for task in asked { #expect(await task.value.failure == .cancelled) }
                #expect(bench.server.questions.count == 200)
                #expect(try Self.census() == before)
            }
        }
    }

    @Test func `cancelled queries leak neither sockets nor memory`() async {
        await #expect(processExitsWith: .success) {
            try await withNames { _ in
                []
            } _: { bench in
                func leave(_ count: Int) async throws {
                    for number in 0..<count {
                        let asked = bench.ask("name-\(number).example")
                        try await bench.waitForAskers(1)
                        asked.cancel()
                        _ = await asked.value
                    }
                }
                try await leave(500)
                let before = try (Self.census(), Self.residentBytes())
                try await leave(5_000)
                #expect(try Self.census() == before.0)
                // A leaked channel takes some 10 kB. The server's records of 10,000 questions take 2 MB.
                #expect(try Self.residentBytes() < before.1 + 8_000_000)
            }
        }
    }

    @Test func `answers of every kind leave no open descriptor`() async {
        await #expect(processExitsWith: .success) {
            try await withNames { question in
                switch question.name.split(separator: "-").first {
                case "found": [question.answer([.a(192, 0, 2, 1), .aaaa(1)])]
                case "missing": [question.answer(code: 3)]
                case "long":
                    question.isStream ? [question.answer([.a(192, 0, 2, 1)])] : [question.answer(isTruncated: true)]
                default: []
                }
            } change: {
                $0.queryTimeout = .milliseconds(400)
                $0.tries = 1
            } _: { bench in
                let before = try Self.census()
                // More than 200 datagrams at once might not fit into the buffer of the server's socket.
                let asked = (0..<25).flatMap { number in
                    ["found", "missing", "long", "silent"].map { bench.ask("\($0)-\(number).example") }
                }
                var found = 0
                for task in asked { found += await task.value.failure == nil ? 1 : 0 }
                #expect(found == 50)
                await bench.server.waitForNoConnections()
                #expect(try Self.census() == before)
            }
        }
    }

    @Test func `a resolver that is shut down during its queries leaks nothing`() async {
        await #expect(processExitsWith: .success) {
            func oneLife() async throws {
                try await withNames { _ in
                    []
                } _: { bench in
                    let asked = (0..<20).map { bench.ask("name-\($0).example") }
                    await bench.server.waitForQuestions(40)
                    await bench.resolver.shutdown()
                    for task in asked { try #require(await task.value.failure == .resolverClosed) }
                }
            }
            try await oneLife()
            let before = try Self.census()
            for _ in 0..<10 { try await oneLife() }
            #expect(try Self.census() == before)
        }
    }
}
