import Base
import NotificationModel
import Testing

@Suite struct LiveTransferTimingTests {
    private let start = MonotonicInstant.now
    private let trace = StageTrace()

    private func after(_ milliseconds: Int) -> MonotonicInstant {
        start.advanced(by: .milliseconds(milliseconds))
    }

    @Test func `the current phase of a transfer lasts until now, and earlier phases do not change`() {
        var connected = TransferTiming(origin: "https://a.example:443")
        connected.dns = .milliseconds(2)
        let running = LiveTransferTiming(connected, at: start)
        var expected = connected
        expected.failure = .budgetExceeded
        expected.connect = .milliseconds(7)
        #expect(running.timing(at: after(7), failure: .budgetExceeded) == expected)

        (connected.connect, connected.address, connected.port) = (.milliseconds(5), "192.0.2.1", 443)
        running.requested(over: connected, at: after(10))
        (expected.connect, expected.address, expected.port) = (.milliseconds(5), "192.0.2.1", 443)
        expected.wait = .milliseconds(20)
        #expect(running.timing(at: after(30), failure: .budgetExceeded) == expected)

        running.answered(200, "h2", at: after(40))
        running.received(wireBytes: 900, bodyBytes: 1_000)
        (expected.wait, expected.status, expected.body) = (.milliseconds(30), 200, .milliseconds(60))
        expected.protocolName = "h2"
        (expected.wireBytes, expected.bodyBytes, expected.failure) = (900, 1_000, .cancelled)
        #expect(running.timing(at: after(100), failure: .cancelled) == expected)
        #expect(running.timing(at: start, failure: .cancelled).body == .zero)
    }

    @Test func `a running transfer is listed after the ended transfers`() {
        var first = TransferTiming(origin: "https://a.example:443")
        first.failure = .connectionLost
        trace.note(first)
        trace.begin(LiveTransferTiming(TransferTiming(origin: "https://b.example:443"), at: start))
        #expect(
            trace.transfers(at: after(1), failure: .budgetExceeded).map(\.origin)
                == ["https://a.example:443", "https://b.example:443"])
        #expect(trace.transfers == [first])
        let second = TransferTiming(origin: "https://b.example:443")
        trace.note(second)
        #expect(trace.transfers(at: after(2), failure: .budgetExceeded) == [first, second])
    }
}
