import Base
import FoundationEssentials
import HTTPCaching
import HTTPTypes
import NotificationModel
import Testing

@testable import MediaFetcher

struct OriginFetchTests {
    private func fetch(
        _ reason: DegradationReason, isOverKeptConnection: Bool, status: Int? = nil
    ) throws -> OriginFetch {
        let url = "http://origin.example.com/"
        let request = FetchRequest(url: url, deadline: .now, trace: StageTrace()) { () throws(MediaFailure) in
            throw MediaFailure(.storageFailed, "the test has no files")
        }
        let fetch = OriginFetch(
            OriginRequest(.get, url), to: try FetchPolicy().validate(url),
            for: FetchContext(request, FetchRules(FetchPolicy(), version: 0)))
        let report = TransferReport(MediaFailure(reason, "test"), TransferTiming(origin: url))
        report.isOverKeptConnection = isOverKeptConnection
        report.head = status.map { ResponseHead(status: $0) }
        fetch.number = 1
        fetch.take(report)
        return fetch
    }

    /// A server may close an idle connection at any time. With HTTP/2, all requests on the connection then fail
    /// together.
    @Test func `a reused connection that ends before the response is not counted as a failure of its host`() throws {
        #expect(try fetch(.connectionLost, isOverKeptConnection: true).hostSucceeded == nil)
        #expect(try fetch(.connectionLost, isOverKeptConnection: false).hostSucceeded == false)
        #expect(try fetch(.connectionLost, isOverKeptConnection: true, status: 200).hostSucceeded == false)
        #expect(try fetch(.connectFailed, isOverKeptConnection: true).hostSucceeded == false)
    }

    @Test func `a reused connection that ends before the response causes another attempt`() throws {
        let attempt = try fetch(.connectionLost, isOverKeptConnection: true).attempt
        let decision = RetryPolicy().decide(attempt, remaining: .seconds(10), jitter: 0)
        #expect(decision == .again(after: .milliseconds(50), from: 0))
    }

    @Test(
        arguments: [
            ("8", 8.0), ("8.5", 8.5), ("0", 0), ("0.25", 0.25), ("86401", 86_400), ("99999999999999999999", 86_400),
            (String(repeating: "9", count: 400), 86_400), ("Thu, 01 Jan 1970 00:01:30 GMT", 90), ("-1", nil),
            ("+5", nil),
            ("8.", nil), (".5", nil), ("1e3", nil), ("8,5", nil), ("5 s", nil), ("soon", nil), ("", nil),
        ] as [(String, Double?)])
    func `Retry-After is a number of seconds, also with decimals, or a date, and at most a day`(
        _ value: String, _ seconds: Double?
    ) {
        let head = ResponseHead(status: 503, fields: [.retryAfter: value])
        #expect(head.retryAfter(at: Date(timeIntervalSince1970: 0))?.seconds == seconds)
    }
}
