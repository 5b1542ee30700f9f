import FoundationEssentials
import HTTPCaching
import HTTPTypes
import NotificationModel
import Testing

@testable import MediaFetcher

struct OriginFetchTests {
    private func download(_ reason: DegradationReason, isOverKeptConnection: Bool, status: Int? = nil) -> OriginFetch {
        let download = OriginFetch(OriginRequest(.get, "http://origin.test/"))
        let report = TransferReport(MediaFailure(reason, "test"), TransferTiming(origin: "http://origin.test"))
        report.isOverKeptConnection = isOverKeptConnection
        report.head = status.map { ResponseHead(status: $0) }
        download.number = 1
        download.take(report)
        download.failure = report.failure
        return download
    }

    /// A server may close an idle connection at any time. With HTTP/2, all requests on the connection then fail
    /// together.
    @Test func `a reused connection that ends before the response is not counted as a failure of its host`() {
        #expect(download(.connectionLost, isOverKeptConnection: true).hostSucceeded == nil)
        #expect(download(.connectionLost, isOverKeptConnection: false).hostSucceeded == false)
        #expect(download(.connectionLost, isOverKeptConnection: true, status: 200).hostSucceeded == false)
        #expect(download(.connectFailed, isOverKeptConnection: true).hostSucceeded == false)
    }

    @Test func `a reused connection that ends before the response causes another attempt`() {
        let attempt = download(.connectionLost, isOverKeptConnection: true).attempt
        let decision = RetryPolicy().decide(attempt, remaining: .seconds(10), jitter: 0)
        #expect(decision == .again(after: .milliseconds(50), from: 0))
    }
}
