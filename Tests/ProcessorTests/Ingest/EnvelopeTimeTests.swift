import Base
import Foundation
import NotificationModel
import NotificationProcessor
import Testing

/// Tests of the keys `budget` and `deadline` of an envelope.
@Suite struct EnvelopeTimeTests {
    private let instant = MonotonicInstant.now
    /// The date 2027-01-15T08:00:00Z.
    private let date = Date(timeIntervalSince1970: 1_800_000_000)

    private func read(_ keys: String) throws -> (request: NotificationRequest, error: EnvelopeError?) {
        EnvelopeReader(defaults: RequestDefaults(), dialects: DialectTable(dialects: []))
            .request(
                from: Submission(
                    object: try #require(try JSONParser.value(of: #"{\#(keys),"payload":{}}"#).object),
                    arrival: ClockReading(instant: instant, date: date)))
    }

    @Test(
        arguments: [
            ("500ms", .milliseconds(500)), ("5s", .seconds(5)), ("1m", .seconds(60)), ("1h", .seconds(3_600)),
            ("0s", .zero),
        ] as [(String, Duration)])
    func `a budget starts at the arrival of the request`(text: String, length: Duration) throws {
        let (request, error) = try read(#""budget":"\#(text)""#)
        #expect(error == nil)
        #expect(request.budget == TimeBudget(received: instant, length: length))
    }

    @Test(arguments: [
        ("2", "is the number 2, not a string: write"), ("2.5e3", "is the number 2.5e3, not a string: write"),
        ("true", "is a boolean, not a string: write"), (#""2h""#, #""2h" is not"#), (#""2""#, #""2" is not"#),
    ])
    func `the error about a wrong budget has the valid range and the format`(
        value: String, says: String
    ) throws {
        let error = try read(#""budget":\#(value)"#).error
        let range = #"a duration from 0s to 1h, such as "500ms", "5s" or "2m""#
        #expect(error == EnvelopeError(key: "budget", problem: "\(says) \(range)"))
    }

    @Test func `the error about a long number shows only the beginning of the number`() throws {
        let problem = try read(#""budget":\#(String(repeating: "7", count: 10_000))"#).error?.problem
        #expect(try #require(problem).count < 200)
    }

    @Test(
        arguments: [
            ("2027-01-15T08:00:05Z", .seconds(5)), ("2027-01-15T08:00:00.500Z", .milliseconds(500)),
            ("2027-01-15T10:00:05+02:00", .seconds(5)), ("2027-01-15T03:30:05-04:30", .seconds(5)),
            ("2027-01-15T08:00:00Z", .zero), ("2027-01-15T07:59:59Z", .zero), ("1999-01-01T00:00:00Z", .zero),
            ("2027-01-15T09:00:00Z", .seconds(3_600)),
        ] as [(String, Duration)])
    func `a deadline sets the budget to the time until the deadline, or to zero if the deadline has passed`(
        text: String, length: Duration
    ) throws {
        let (request, error) = try read(#""deadline":"\#(text)""#)
        #expect(error == nil)
        #expect(abs((request.budget.length - length) / .milliseconds(1)) < 1)
        #expect(request.budget.received == instant)
    }

    @Test(arguments: ["tomorrow", "2027-01-15T08:00:05", "2027-01-15T08:00:05Zjunk", "2027-02-30T08:00:05Z", "5s"])
    func `a deadline that is not an RFC 3339 time is an error`(text: String) throws {
        #expect(try read(#""deadline":"\#(text)""#).error?.key == "deadline")
    }

    @Test func `a deadline more than an hour after the arrival is an error`() throws {
        #expect(try read(#""deadline":"2037-01-15T08:00:00Z""#).error?.key == "deadline")
    }

    @Test func `an envelope with both a budget and a deadline is an error`() throws {
        #expect(try read(#""budget":"5s","deadline":"2027-01-15T08:00:05Z""#).error?.key == "deadline")
        let (request, error) = try read(#""budget":null,"deadline":"2027-01-15T08:00:05Z""#)
        #expect(error == nil)
        #expect(request.budget.length == .seconds(5))
    }
}
