import Base
import NotificationModel
import TestSupport
import Testing

@testable import MediaFetcher

/// The tests of the times at which a transfer is checked, and of the results of the checks.
struct StallDetectorTests {
    private typealias Move = (at: Duration, phase: StallDetector.Phase)

    private let start = MonotonicInstant.now
    /// The maximum delay between the end of a phase and the check that finds it.
    private let slack = StallDetector.checkInterval

    private func limits(firstByte: Duration, idle: Duration, stallThreshold: Duration) -> FetchLimits {
        var limits = FetchLimits()
        (limits.firstByte, limits.idle, limits.stallThreshold) = (firstByte, idle, stallThreshold)
        limits.hedgeAfter = nil
        return limits
    }

    /// Simulates activity, and checks at the times that the detector returns. Returns the times at which a check found
    /// the transfer stalled, and the time at which the transfer exceeded a limit.
    private func follow(_ moves: [Move], _ limits: FetchLimits) -> (still: [Duration], end: Duration?) {
        var pace = StallDetector(limits, startedAt: start)
        var look = pace.nextCheck(after: start)
        var (still, moves) = ([Duration](), moves[...])
        for _ in 0..<100_000 {
            if let move = moves.first, start + move.at <= look {
                moves.removeFirst()
                if move.phase == .receiving { _ = pace.resumed() }
                pace.move(to: move.phase, at: start + move.at)
                continue
            }
            if pace.markStalled(at: look) { still.append(start.duration(to: look)) }
            if pace.isOverdue(at: look) { return (still, start.duration(to: look)) }
            look = pace.nextCheck(after: look)
        }
        return (still, nil)
    }

    @Test func `the detector finds a body that stalls after late headers at its idle limit`() {
        let limits = limits(firstByte: .seconds(10), idle: .milliseconds(500), stallThreshold: .seconds(1))
        let found = follow(
            [(.milliseconds(5), .waiting), (.seconds(3), .receiving)], limits)
        #expect(found.still.count == 1 && found.still[0] >= .milliseconds(1_005))
        #expect(found.end ?? .zero >= .milliseconds(3_500))
        #expect(found.end ?? .zero <= .milliseconds(3_500) + slack)
    }

    @Test func `the detector finds a transfer that stalls again after the transfer has resumed`() {
        let limits = limits(firstByte: .seconds(10), idle: .seconds(10), stallThreshold: .seconds(1))
        let found = follow([(.zero, .waiting), (.seconds(2), .receiving), (.seconds(4), .receiving)], limits)
        #expect(found.still.count == 3)
        for (still, exact) in zip(found.still, [1, 3, 5]) {
            #expect(still >= .seconds(exact) && still <= .seconds(exact) + slack)
        }
    }

    @Test func `only libcurl limits the connecting phase`() {
        let limits = limits(firstByte: .milliseconds(20), idle: .milliseconds(10), stallThreshold: .milliseconds(50))
        #expect(follow([], limits).end == nil)
    }

    /// The expected end follows from the definition: a phase ends after it has been inactive for its limit.
    @Test func `the detector finds the end of each phase in time and never too early, in random activity`() {
        var random = SeededGenerator(seed: 5)
        for round in 0..<2_000 {
            let milliseconds = { (range: ClosedRange<Int>) in
                Duration.milliseconds(Int.random(in: range, using: &random))
            }
            let limits = limits(
                firstByte: milliseconds(20...3_000), idle: milliseconds(20...3_000),
                stallThreshold: milliseconds(20...3_000))
            var moves: [Move] = [(milliseconds(0...500), .waiting)]
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                moves.append((moves[moves.count - 1].at + milliseconds(0...2_000), .receiving))
            }
            var exact: Duration?
            for (index, move) in moves.enumerated() where exact == nil {
                let end = move.at + (move.phase == .waiting ? limits.firstByte : limits.idle)
                if index + 1 == moves.count || end < moves[index + 1].at { exact = end }
            }
            // Activity between the end of a phase and its check makes the result random, so such a round is skipped.
            guard let exact, !moves.contains(where: { $0.at >= exact && $0.at <= exact + slack }) else { continue }
            let end = follow(moves, limits).end ?? .zero
            #expect(end >= exact && end <= exact + slack, "round \(round): \(limits), \(moves)")
        }
    }

    @Test func `a second connection may start after a silence of hedgeAfter`() {
        let start = MonotonicInstant.now
        var limits = limits(firstByte: .seconds(10), idle: .seconds(10), stallThreshold: .seconds(4))
        #expect(!StallDetector(limits, startedAt: start).mayBeHedged(at: start + .seconds(9)))
        limits.hedgeAfter = .seconds(2)
        var detector = StallDetector(limits, startedAt: start)
        #expect(!detector.mayBeHedged(at: start + .milliseconds(1_999)))
        #expect(detector.nextCheck(after: start) == start + .seconds(2))
        #expect(detector.mayBeHedged(at: start + .seconds(2)))
        detector.move(to: .receiving, at: start + .seconds(3))
        #expect(!detector.mayBeHedged(at: start + .seconds(4)))
        #expect(detector.nextCheck(after: start + .seconds(4)) == start + .seconds(5))
    }
}
