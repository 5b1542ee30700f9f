import NotificationModel
import TestSupport
import Testing

@testable import MediaFetcher

/// The tests of callers that share a question, silent servers and cancelled callers.
@Suite(.timeLimit(.minutes(1)))
struct SharedQuestionTests {
    @Test func `fifty simultaneous callers for one name share one query per address family`() async throws {
        try await withNames { _ in
            []
        } _: { bench in
            let asked = (0..<50).map { _ in bench.ask("cdn.example") }
            try await bench.waitForAskers(50)
            await bench.server.waitForQuestions(2)
            for question in bench.server.questions {
                bench.server.send(question.answer([.a(192, 0, 2, 1)]), to: question)
            }
            for task in asked { #expect(await task.value.addresses == Set(texts: "192.0.2.1")) }
            #expect(bench.server.questions.count == 2)
        }
    }

    @Test func `an unanswered name does not delay other names`() async throws {
        try await withNames {
            $0.name == "silent.example" ? [] : [$0.answer([.a(192, 0, 2, 1)])]
        } _: { bench in
            let stuck = bench.ask("silent.example")
            await bench.server.waitForQuestions(2)
            #expect(await bench.answer("cdn.example").addresses == Set(texts: "192.0.2.1"))
            #expect(!(await bench.answer("localhost").addresses.isEmpty))
            #expect(await bench.resolver.openQuestions == 1)
            stuck.cancel()
            #expect(await stuck.value.failure == .cancelled)
            #expect(await bench.resolver.openQuestions == 0)
        }
    }

    @Test func `a cancelled caller does not end the query of the other callers`() async throws {
        try await withNames { _ in
            []
        } _: { bench in
            let first = bench.ask("cdn.example")
            await bench.server.waitForQuestions(2)
            let second = bench.ask("cdn.example")
            try await bench.waitForAskers(2)
            first.cancel()
            #expect(await first.value.failure == .cancelled)
            for question in bench.server.questions {
                bench.server.send(question.answer([.a(192, 0, 2, 1)]), to: question)
            }
            #expect(await second.value.addresses == Set(texts: "192.0.2.1"))
        }
    }

    @Test func `a task that was cancelled before its call sends no query`() async throws {
        try await withNames { _ in
            []
        } _: { bench in
            let task = Task { [bench] in
                withUnsafeCurrentTask { $0?.cancel() }
                return await #expect(throws: MediaFailure.cancelled) {
                    _ = try await bench.resolver.resolve("cdn.example")
                }
            }
            _ = await task.value
            #expect(await bench.resolver.openQuestions == 0)
            #expect(bench.server.questions.isEmpty)
        }
    }

    @Test func `an answer after the cancellation of its caller is ignored`() async throws {
        try await withNames {
            $0.name == "late.example" ? [] : [$0.answer([.a(192, 0, 2, 2)])]
        } _: { bench in
            let left = bench.ask("late.example")
            await bench.server.waitForQuestions(2)
            left.cancel()
            #expect(await left.value.failure == .cancelled)
            for question in bench.server.questions {
                bench.server.send(question.answer([.a(192, 0, 2, 1)]), to: question)
            }
            #expect(await bench.answer("cdn.example").addresses == Set(texts: "192.0.2.2"))
        }
    }

    @Test func `a full resolver refuses a new name at once, and answers a query for a cached name`() async throws {
        try await withNames {
            $0.name == "known.example" ? [$0.answer([.a(192, 0, 2, 1)])] : []
        } change: {
            $0.questions = 4
        } _: { bench in
            _ = try await bench.answer("known.example").get()
            let stuck = (0..<4).map { bench.ask("silent-\($0).example") }
            try await bench.waitForAskers(4)
            #expect(await bench.answer("one-more.example").failure?.reason == .overloaded)
            #expect(try await bench.answer("known.example").get().wasCached)
            stuck[0].cancel()
            _ = await stuck[0].value
            let next = bench.ask("one-more.example")
            await bench.server.waitForQuestions(12)
            #expect(bench.server.questions.last?.name == "one-more.example")
            for task in stuck + [next] { task.cancel() }
        }
    }

    @Test func `an answer is cached until its TTL ends`() async throws {
        let clock = ManualClock()
        try await withNames {
            [$0.answer([.a(192, 0, 2, 1, ttl: 30)])]
        } now: {
            clock.now
        } _: { bench in
            #expect(try await bench.answer("cdn.example").get().wasCached == false)
            clock.advance(by: .seconds(29))
            let cached = try await bench.answer("CDN.example.").get()
            #expect(cached.wasCached)
            #expect(cached.ttl == .seconds(1))
            #expect(bench.server.questions.count == 2)
            clock.advance(by: .seconds(1))
            #expect(try await bench.answer("cdn.example").get().wasCached == false)
            #expect(bench.server.questions.count == 4)
        }
    }

    @Test func `a shutdown gives a failure to waiting and later callers`() async throws {
        try await withNames { _ in
            []
        } _: { bench in
            let stuck = bench.ask("cdn.example")
            await bench.server.waitForQuestions(2)
            await bench.resolver.shutdown()
            #expect(await stuck.value.failure == .resolverClosed)
            #expect(await bench.answer("cdn.example").failure == .resolverClosed)
            #expect(await bench.resolver.openQuestions == 0)
        }
    }
}
