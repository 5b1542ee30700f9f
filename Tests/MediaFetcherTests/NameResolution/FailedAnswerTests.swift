import Base
import NotificationModel
import TestSupport
import Testing

@testable import MediaFetcher

/// The tests of unusable answers. Each answer ends in an error with a sentence, and never in a crash.
@Suite(.timeLimit(.minutes(1)))
struct FailedAnswerTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let says: String
        let script: NameServer.Script

        init(_ what: String, says: String, script: @escaping NameServer.Script) {
            testDescription = what
            self.says = says
            self.script = script
        }
    }

    private static let silence = "the name servers do not answer"
    private static let nothing = "the name of the host has no addresses"
    private static let unreadable = "the response of the name server cannot be read"
    private static let noServer = "no name server could answer for the name of the host"

    private static let cases = [
        Case("NXDOMAIN", says: "the name of the host does not exist") { [$0.answer(code: 3)] },
        Case("no records", says: nothing) { [$0.answer()] },
        Case("SERVFAIL", says: noServer) { [$0.answer(code: 2)] },
        Case("REFUSED", says: noServer) { [$0.answer(code: 5)] },
        Case("silence", says: silence) { _ in [] },
        Case("an empty datagram", says: silence) { _ in [[]] },
        Case("less than a header", says: silence) { [Array($0.answer().prefix(11))] },
        Case("another id", says: silence) { [$0.answer([.a(192, 0, 2, 1), .aaaa(1)], id: $0.id &+ 1)] },
        Case("another question", says: silence) { question in
            let section = DNSQuestion.bytes(name: "other.example") + DNSQuestion.bytes(question.type) + [0, 1]
            return [DNSQuestion.header(id: question.id, records: 0) + section]
        },
        Case("records that are not there", says: unreadable) {
            [DNSQuestion.header(id: $0.id, records: 3) + $0.section]
        },
        Case("half a record", says: unreadable) { [$0.answer([.a(192, 0, 2, 1), .aaaa(1)]).dropLast(2)] },
        Case("an address that is too short", says: nothing) {
            [$0.answer([DNSRecord(type: $0.type, ttl: 1, data: [127])])]
        },
        Case("a name that points at itself", says: unreadable) { question in
            let place = UInt8(12 + question.section.count)
            return [
                DNSQuestion.header(id: question.id, records: 1) + question.section + [0xc0, place, 0, 1, 0, 1]
                    + [0, 0, 0, 1, 0, 4, 127, 0, 0, 1]
            ]
        },
        Case("an alias of itself", says: nothing) { [$0.answer([.alias(of: $0.name)])] },
        Case("truncated, and no TCP", says: noServer) { $0.isStream ? [] : [$0.answer(isTruncated: true)] },
        Case("truncated over TCP as well, and garbage", says: unreadable) {
            $0.isStream
                ? [DNSQuestion.header(id: $0.id, records: 9) + $0.section + [0xc0]] : [$0.answer(isTruncated: true)]
        },
    ]

    @Test(arguments: cases)
    func `a query with an unusable answer fails with an explanation`(_ test: Case) async throws {
        try await withNames(test.script) {
            // All other answers arrive, so their tests keep the long timeout for a busy machine.
            if test.says == Self.silence { $0.queryTimeout = .milliseconds(40) }
            $0.tries = 1
        } _: { bench in
            let failure = await bench.answer("cdn.example").failure
            #expect(failure == MediaFailure(.dnsFailed, test.says))
            #expect(await bench.resolver.openQuestions == 0)
        }
    }

    @Test func `a query to a closed port fails with an explanation`() async throws {
        let address = try Self.addressOfNobody()
        try await withNames { _ in
            []
        } change: {
            $0.nameservers = [address]
        } _: { bench in
            #expect(await bench.answer("cdn.example").failure == MediaFailure(.dnsFailed, Self.noServer))
        }
    }

    private static func addressOfNobody() throws -> String { "127.0.0.1:\(try LoopbackSockets().port)" }

    @Test func `forged answers before the true answer are ignored`() async throws {
        try await withNames { question in
            let forged = [DNSRecord.a(127, 0, 0, 1), .aaaa(1)]
            return [
                question.answer(forged, id: question.id ^ 1), [], [0xff], question.answer(forged, id: question.id &+ 1),
                question.answer([.a(192, 0, 2, 1)]),
            ]
        } _: { bench in
            #expect(await bench.answer("cdn.example").addresses == Set(texts: "192.0.2.1"))
        }
    }

    @Test func `each query with a damaged answer ends with a result or a failure`() async throws {
        let noise = Noise()
        try await withNames {
            [noise.damaged($0.answer([.alias(of: "b.example"), .a(192, 0, 2, 1), .aaaa(9)]), $0)]
        } change: {
            $0.queryTimeout = .milliseconds(5)
            $0.tries = 1
            $0.questions = 64
        } _: { bench in
            for round in 0..<40 {
                let asked = (0..<50).map { bench.ask("name-\(round)-\($0).example") }
                for task in asked {
                    if let failure = await task.value.failure { #expect(failure.reason == .dnsFailed) }
                }
            }
            #expect(await bench.resolver.openQuestions == 0)
            #expect(bench.server.questions.count >= 2_000)
        }
    }
}

/// A source of random damage to answers. Its seed is fixed, so that each run is the same.
private final class Noise: Sendable {
    private let generator = Guarded(SeededGenerator(seed: 20_26))

    /// Damages a few bytes. The id is never changed, and the question is seldom changed, so that c-ares reads the
    /// remaining bytes.
    func damaged(_ message: [UInt8], _ question: DNSQuestion) -> [UInt8] {
        generator.withLock { generator in
            var message = message
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 2..<message.count, using: &generator)
                message[place] = UInt8.random(in: 0...255, using: &generator)
            }
            let isCut = Bool.random(using: &generator)
            return isCut ? Array(message.prefix(Int.random(in: 12...message.count, using: &generator))) : message
        }
    }
}
