import Base
import NotificationModel
import TestSupport
import Testing

@testable import MediaFetcher

/// The tests of each race between two events, and of random orders of events.
struct QuestionTableTests {
    private static let now = MonotonicInstant.now
    private static let found = HostAnswer.addresses([.v4(1)], ttl: .seconds(10))
    private static let reported = found.result(atMost: .seconds(60))

    private static func name(_ text: String) throws -> HostName { try #require(HostName(text)) }

    private static func table(questions: Int = 8) -> QuestionTable {
        var settings = ResolverSettings()
        settings.questions = questions
        settings.cacheLimit = 16
        return QuestionTable(settings)
    }

    @Test func `a second caller for the same name starts no query, and both callers get the answer`() throws {
        var table = Self.table()
        let name = try Self.name("a")
        #expect(table.handle(.asked(1, name), at: Self.now) == [.start(1, name)])
        #expect(table.handle(.asked(2, name), at: Self.now) == [])
        #expect(
            table.handle(.answered(1, Self.found), at: Self.now) == [
                .end(1), .tell(1, Self.reported), .tell(2, Self.reported),
            ])
        #expect(table.count == 0)
    }

    @Test func `a caller after the answer gets the cached answer until the answer expires`() throws {
        var table = Self.table()
        let name = try Self.name("a")
        _ = table.handle(.asked(1, name), at: Self.now)
        _ = table.handle(.answered(1, Self.found), at: Self.now)
        let cached = ResolvedHost(addresses: [.v4(1)], ttl: .seconds(10), wasCached: true)
        #expect(table.handle(.asked(2, name), at: Self.now) == [.tell(2, .success(cached))])
        #expect(table.handle(.asked(3, name), at: Self.now + .seconds(10)) == [.start(2, name)])
    }

    @Test func `a query ends when its last caller is cancelled`() throws {
        var table = Self.table()
        let name = try Self.name("a")
        _ = table.handle(.asked(1, name), at: Self.now)
        _ = table.handle(.asked(2, name), at: Self.now)
        #expect(table.handle(.left(1), at: Self.now) == [.tell(1, .failure(.cancelled))])
        #expect(table.handle(.left(2), at: Self.now) == [.tell(2, .failure(.cancelled)), .end(1)])
        #expect(table.handle(.left(2), at: Self.now) == [])
        #expect(table.handle(.answered(1, Self.found), at: Self.now) == [])
        #expect(table.handle(.asked(3, name), at: Self.now) == [.start(2, name)])
    }

    @Test func `a caller that is cancelled after the answer gets no second result`() throws {
        var table = Self.table()
        _ = table.handle(.asked(1, try Self.name("a")), at: Self.now)
        _ = table.handle(.answered(1, Self.found), at: Self.now)
        #expect(table.handle(.left(1), at: Self.now) == [])
    }

    @Test func `a full table refuses a new name, and accepts a name that it already resolves`() throws {
        var table = Self.table(questions: 1)
        _ = table.handle(.asked(1, try Self.name("a")), at: Self.now)
        #expect(table.handle(.asked(2, try Self.name("b")), at: Self.now) == [.tell(2, .failure(.tooManyNames))])
        #expect(table.handle(.asked(3, try Self.name("a")), at: Self.now) == [])
        _ = table.handle(.answered(1, .unknown("")), at: Self.now)
        #expect(table.handle(.asked(4, try Self.name("b")), at: Self.now) == [.start(2, try Self.name("b"))])
    }

    @Test func `a change of the settings does not end the open queries of waiting callers`() throws {
        var table = Self.table()
        let name = try Self.name("a")
        _ = table.handle(.asked(1, name), at: Self.now)
        table.change(ResolverSettings())
        #expect(table.handle(.asked(2, name), at: Self.now) == [.start(2, name)])
        #expect(table.handle(.answered(1, Self.found), at: Self.now) == [.end(1), .tell(1, Self.reported)])
        #expect(table.handle(.asked(3, name), at: Self.now) == [])
        #expect(table.handle(.left(2), at: Self.now) == [.tell(2, .failure(.cancelled))])
        #expect(table.handle(.left(3), at: Self.now) == [.tell(3, .failure(.cancelled)), .end(2)])
    }

    @Test func `a closed table gives a failure to all current and later callers, and starts no query`() throws {
        var table = Self.table()
        _ = table.handle(.asked(1, try Self.name("a")), at: Self.now)
        _ = table.handle(.asked(2, try Self.name("b")), at: Self.now)
        let closed = Result<ResolvedHost, MediaFailure>.failure(.resolverClosed)
        #expect(table.handle(.closed, at: Self.now) == [.end(1), .end(2), .tell(1, closed), .tell(2, closed)])
        #expect(table.handle(.answered(1, Self.found), at: Self.now) == [])
        #expect(table.handle(.left(1), at: Self.now) == [])
        #expect(table.handle(.closed, at: Self.now) == [])
        #expect(table.handle(.asked(3, try Self.name("a")), at: Self.now) == [.tell(3, closed)])
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `each caller gets one result, and each query ends once, in a random order of events`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var table = Self.table(questions: 3)
        var now = Self.now
        var open: Set<QuestionID> = []
        var waiting: Set<AskerID> = []
        var lastAsker: AskerID = 0
        for step in 0..<400 {
            now = now + .milliseconds(Int.random(in: 0...900, using: &generator))
            let event: QuestionTable.Event
            switch Int.random(in: 0..<(step < 399 ? 10 : 1), using: &generator) {
            case 0 where step == 399: event = .closed
            case 0..<5:
                lastAsker += 1
                waiting.insert(lastAsker)
                event = .asked(lastAsker, try Self.name("name-\(Int.random(in: 0..<6, using: &generator))"))
            case 5..<8: event = .left(.random(in: 0...lastAsker, using: &generator))
            case 8: event = .answered(.random(in: 0...UInt64(step), using: &generator), Self.found)
            default:
                if Int.random(in: 0..<10, using: &generator) == 0 { table.change(ResolverSettings()) }
                event = .answered(open.randomElement(using: &generator) ?? 0, .unknown("nobody"))
            }
            for action in table.handle(event, at: now) {
                switch action {
                case .start(let id, _): #expect(open.insert(id).inserted)
                case .end(let id): #expect(open.remove(id) != nil)
                case .tell(let asker, _): #expect(waiting.remove(asker) != nil)
                }
            }
            #expect(open.count == table.count)
            #expect(open.isEmpty == waiting.isEmpty)
        }
        #expect(open.isEmpty && waiting.isEmpty)
    }
}
