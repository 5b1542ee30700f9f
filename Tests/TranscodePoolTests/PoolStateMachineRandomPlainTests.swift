import LinuxIO
import TestSupport
import Testing

@testable import TranscodePool

/// The tests of random events in random order.
struct PoolStateMachineRandomPlainTests {
    @Test(arguments: 1...4)
    func `a pool finishes each job once, and sends no worker a wrong job`(_ size: Int) {
        for seed in 0..<TestLength.rounds(200, short: 60) {
            var generator = SeededGenerator(seed: UInt64(seed * 10 + size))
            var model = PoolModel(size: size)
            var lastJob: JobID = 0
            for _ in 0..<120 { step(&model, &lastJob, &generator) }
            drain(&model)
            #expect(model.violations.isEmpty, "seed \(seed)")
            #expect(model.unfinished.isEmpty, "seed \(seed)")
            #expect(model.waitingCount == 0, "seed \(seed)")
        }
    }

    /// The test tries all sequences of five events.
    @Test(arguments: 1...2, [false, true])
    func `no short sequence of events violates the rules of the pool`(_ size: Int, beginsWithLongJobs: Bool) {
        let choices = 9
        let length = 5
        for code in 0..<59_049 {  // There are 9⁵ sequences.
            var model = PoolModel(size: size)
            var lastJob: JobID = 0
            var rest = code
            for _ in 0..<length {
                apply(rest % choices, &model, &lastJob, longJobs: beginsWithLongJobs ? size : 0)
                rest /= choices
            }
            drain(&model)
            guard model.violations.isEmpty, model.unfinished.isEmpty else {
                Issue.record("sequence \(code): \(model.violations), unfinished \(model.unfinished)")
                return
            }
        }
    }

    /// Applies one of the nine events.
    ///
    /// - Parameter longJobs: The number of the first jobs that are long.
    private func apply(_ choice: Int, _ model: inout PoolModel, _ lastJob: inout JobID, longJobs: Int) {
        switch choice {
        case 0:
            lastJob += 1
            model.submit(lastJob, isLong: lastJob <= longJobs)
        case 1, 2: model.handle(.abandoned(JobID(choice)))
        case 3, 4: reply(from: WorkerID(choice - 2), &model)
        case 5: model.handle(.replied(1, 2))
        case 6, 7: if model.living.contains(WorkerID(choice - 5)) { model.end(WorkerID(choice - 5)) }
        default: if model.living.contains(1) { model.end(1, startFailed: true) }
        }
    }

    private func reply(from worker: WorkerID, _ model: inout PoolModel) {
        model.handle(.replied(worker, model.job(of: worker) ?? 1))
    }

    private func step(_ model: inout PoolModel, _ lastJob: inout JobID, _ generator: inout SeededGenerator) {
        let worker = model.living.sorted().randomElement(using: &generator)
        switch Int.random(in: 0..<22, using: &generator) {
        case 0..<7:
            lastJob += 1
            model.submit(lastJob, isLong: .random(using: &generator))
        case 7..<10:
            model.handle(.abandoned(JobID.random(in: 0...(lastJob + 1), using: &generator)))
        case 10..<15: if let worker { reply(from: worker, &model) }
        case 15: model.handle(.replied(worker ?? 99, JobID.random(in: 0...(lastJob + 1), using: &generator)))
        case 16: model.handle(.replied(WorkerID.random(in: 0...20, using: &generator), lastJob))
        case 17: if let worker { model.end(worker, startFailed: true) }
        case 18: model.handle(.ended(1_000, nil))
        case 20: if let worker { model.handle(.distrusted(worker)) }
        case 19: if let worker { model.end(worker, by: .exited(status: 1)) }
        default: if let worker { model.end(worker) }
        }
    }

    /// Ends all workers, the killed ones first. After each end, a waiting job continues.
    private func drain(_ model: inout PoolModel) {
        while let worker = model.dying.min() ?? model.living.min() { model.end(worker) }
    }
}
