import Base
import NotificationModel
import Testing

@Suite struct StageTraceTests {
    private let start = MonotonicInstant.now
    private let trace = StageTrace()

    private func after(_ milliseconds: Int) -> MonotonicInstant {
        start.advanced(by: .milliseconds(milliseconds))
    }

    @Test func `a trace without an entered stage has no stages`() {
        #expect(trace.stages(at: start) == [])
        trace.leave(at: after(1))
        trace.split(into: [Stage(name: .dns, duration: .milliseconds(1))], at: after(2))
        #expect(trace.stages(at: after(3)) == [])
    }

    @Test func `a new stage ends the previous stage without a gap`() {
        trace.enter(.queue, at: start)
        trace.enter(.dns, at: after(2))
        trace.enter(.body, at: after(5))
        trace.leave(at: after(9))
        #expect(
            trace.stages(at: after(100)) == [
                Stage(name: .queue, duration: .milliseconds(2)), Stage(name: .dns, duration: .milliseconds(3)),
                Stage(name: .body, duration: .milliseconds(4)),
            ])
    }

    @Test func `an open stage can be read while it continues`() {
        trace.enter(.wait, at: start)
        #expect(trace.stages(at: after(3)) == [Stage(name: .wait, duration: .milliseconds(3))])
        #expect(trace.stages(at: after(8)) == [Stage(name: .wait, duration: .milliseconds(8))])
        trace.leave(at: after(10))
        #expect(trace.stages(at: after(20)) == [Stage(name: .wait, duration: .milliseconds(10))])
    }

    @Test func `a stage that begins after the instant of reading has the duration zero`() {
        trace.enter(.body, at: after(5))
        #expect(trace.stages(at: start) == [Stage(name: .body, duration: .zero)])
    }

    @Test func `a stage that has ended does not end again, and the time between two stages is not recorded`() {
        trace.enter(.body, at: start)
        trace.leave(at: after(1))
        trace.leave(at: after(2))
        trace.enter(.store, at: after(5))
        trace.leave(at: after(6))
        #expect(
            trace.stages(at: after(9)) == [
                Stage(name: .body, duration: .milliseconds(1)), Stage(name: .store, duration: .milliseconds(1)),
            ])
    }

    @Test(arguments: [[], [1], [1, 2, 3], [10], [4, 6]])
    func `a split keeps the total duration of the stage, and the remaining time keeps the stage's name`(parts: [Int]) {
        trace.enter(.connect, at: start)
        trace.split(into: parts.map { Stage(name: .dns, duration: .milliseconds($0)) }, at: after(10))
        let stages = trace.stages(at: after(99))
        #expect(stages.reduce(.zero) { $0 + $1.duration } == .milliseconds(10))
        let rest = 10 - parts.reduce(0, +)
        #expect(stages.map(\.name) == parts.map { _ in .dns } + (rest > 0 ? [.connect] : []))
        #expect(stages.prefix(parts.count).map(\.duration) == parts.map { .milliseconds($0) })
    }

    @Test func `stages that many threads enter are all recorded`() async {
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { [trace] in for _ in 0..<100 { trace.enter(.body) } }
            }
        }
        trace.leave()
        #expect(trace.stages().count == 800)
    }
}
