import NotificationModel
import Testing

@testable import MediaFetcher

@Suite struct TransferStateTests {
    private let start = ContinuousClock.now

    private func state(_ limits: FetchLimits = FetchLimits()) -> TransferState {
        TransferState(limits: limits, startedAt: start)
    }

    @Test func `an interim answer changes nothing`() {
        var state = state()
        state.requesting(at: start)
        #expect(state.received(AnswerHead(status: 103, declaredBytes: nil), at: start) == .proceed)
        #expect(state.phase == .waiting)
        #expect(state.received(AnswerHead(status: 200, declaredBytes: 10), at: start) == .proceed)
        #expect(state.phase == .receiving)
    }

    @Test func `an announced length past every cap aborts before the first byte`() {
        var state = state()
        #expect(state.received(AnswerHead(status: 200, declaredBytes: 50_000_001), at: start) == .abort)
        #expect(state.failure?.reason == .tooLarge)
    }

    @Test func `an announced length is not believed when more arrives`() {
        var limits = FetchLimits()
        limits.videoBytes = 100
        limits.pictureBytes = 100
        limits.soundBytes = 100
        var state = state(limits)
        #expect(state.received(AnswerHead(status: 200, declaredBytes: 10), at: start) == .proceed)
        #expect(state.received([UInt8](repeating: 0, count: 100), at: start) == .proceed)
        #expect(state.received([0], at: start) == .abort)
        #expect(state.failure?.reason == .tooLarge)
    }

    @Test func `the first failure counts`() {
        var state = state()
        state.refuse(MediaFailure(.forbiddenAddress, "one"))
        #expect(state.received(AnswerHead(status: 404, declaredBytes: nil), at: start) == .abort)
        #expect(state.failure?.reason == .forbiddenAddress)
    }

    @Test func `a redirect ends with its head, unless it has no body to wait for`() {
        for (length, verdict) in [(0, .proceed), (1, .abort), (nil, .abort)] as [(Int?, TransferState.Verdict)] {
            var state = state()
            let head = AnswerHead(status: 302, declaredBytes: length, location: "/next")
            #expect(state.received(head, at: start) == verdict)
            #expect(state.isRedirect)
            #expect(state.redirectTarget == "/next")
            #expect(state.failure == nil)
        }
    }

    @Test func `a switch of protocols that nobody asked for is no success`() {
        var state = state()
        #expect(state.received(AnswerHead(status: 101), at: start) == .abort)
        #expect(state.failure?.reason == .httpStatus)
    }

    @Test func `encodings inside each other are refused before they are decoded`() {
        var state = state()
        #expect(state.received(AnswerHead(status: 200, contentEncodings: ["gzip"]), at: start) == .proceed)
        #expect(state.received(AnswerHead(status: 200, contentEncodings: ["gzip", "br"]), at: start) == .abort)
        #expect(state.failure?.reason == .unsupportedMedia)
    }

    @Test func `each phase has its own limit, counted from the last movement`() {
        var limits = FetchLimits()
        limits.firstByte = .seconds(3)
        limits.idle = .seconds(2)
        var state = state(limits)
        state.connecting(at: start)
        #expect(!state.isOverdue(at: start.advanced(by: .seconds(60))))
        state.requesting(at: start.advanced(by: .seconds(1)))
        #expect(state.phaseEnd == start.advanced(by: .seconds(4)))
        _ = state.received(AnswerHead(status: 200, declaredBytes: nil), at: start.advanced(by: .seconds(2)))
        #expect(state.phaseEnd == start.advanced(by: .seconds(4)))
        _ = state.received([1, 2, 3], at: start.advanced(by: .seconds(3)))
        #expect(state.phaseEnd == start.advanced(by: .seconds(5)))
        #expect(!state.isOverdue(at: start.advanced(by: .seconds(4.9))))
        #expect(state.isOverdue(at: start.advanced(by: .seconds(5))))
    }
}
