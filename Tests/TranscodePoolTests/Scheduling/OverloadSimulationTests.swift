import Base
import Glibc
import NotificationModel
import TestSupport
import Testing
import TranscodeProtocol

@testable import TranscodePool

/// The tests of the useful work under overload, as in the step `overload` of `make chaos`, without processes and with
/// simulated time.
struct OverloadSimulationTests {
    @Test(arguments: [1.5, 3, 10])
    func `a pool makes at least 90 % of its capacity useful, and all small images of another host`(level: Double) {
        var simulation = OverloadSimulation(level: level)
        simulation.run(for: .seconds(40))
        #expect(simulation.usefulShare >= 0.9)
        #expect(simulation.reducedShare <= 0.2)
        #expect(simulation.lostSmall == 0)
        #expect(simulation.startCount <= 10)
    }
}

/// A simulation of two workers, photos that take 60 ms, and small images of another host that take 5 ms.
private struct OverloadSimulation: ~Copyable {
    private enum Kind: Equatable { case photo, small }

    private enum Occurrence {
        case arrival(Kind)
        case downloaded(JobID, Kind, deadline: MonotonicInstant)
        case deadline(JobID)
        case replied(WorkerID, JobID)
        case ended(WorkerID)
        case woken
    }

    private struct SimulatedJob {
        let kind: Kind
        let deadline: MonotonicInstant
        var isReduced = false
        var sent: MonotonicInstant?
    }

    private static let size = 2
    private static let budget = Duration.seconds(8)
    private let start = MonotonicInstant.now
    private let interval: Duration
    private var scheduler = PoolScheduler(size: size)
    private var generator = SeededGenerator(seed: 7)
    private var now: MonotonicInstant
    private var agenda: [(instant: MonotonicInstant, occurrence: Occurrence)] = []
    private var jobs: [JobID: SimulatedJob] = [:]
    /// The workers that have replied.
    private var warmWorkers: Set<WorkerID> = []
    private var useful = 0
    private var reduced = 0
    private(set) var lostSmall = 0
    private(set) var startCount = 0

    init(level: Double) {
        interval = .microseconds(60_000 / (Double(Self.size) * level))
        now = start
    }

    /// The useful photos after the first budget, as a share of the photos that fit into the time of both workers.
    var usefulShare: Double {
        Double(useful) * 0.060 / (Double(Self.size) * (start + Self.budget).duration(to: now).seconds)
    }
    var reducedShare: Double { Double(reduced) / Double(max(1, useful)) }

    mutating func run(for duration: Duration) {
        add(.arrival(.photo), after: .zero)
        add(.arrival(.small), after: .zero)
        while let next = agenda.first, next.instant < start + duration {
            agenda.removeFirst()
            now = next.instant
            perform(next.occurrence)
        }
    }

    private mutating func add(_ occurrence: Occurrence, after delay: Duration) {
        let instant = now + delay
        let place = agenda.lastIndex { $0.instant <= instant }.map { $0 + 1 } ?? 0
        agenda.insert((instant, occurrence), at: place)
    }

    private mutating func perform(_ occurrence: Occurrence) {
        switch occurrence {
        case .arrival(let kind): arrive(kind)
        case .downloaded(let reservation, let kind, let deadline):
            scheduler.machine.release(reservation)
            let (id, flow) = (scheduler.nextJob(), Self.flow(of: kind))
            jobs[id] = SimulatedJob(kind: kind, deadline: deadline)
            add(.deadline(id), after: now.duration(to: deadline))
            handle(.submitted(id, scheduler.terms(of: flow, until: deadline, source: Self.source(of: kind))))
        case .deadline(let job): if jobs[job] != nil { handle(.abandoned(job)) }
        case .replied(let worker, let id):
            guard scheduler.machine.isAt(id, worker), let job = jobs[id], let sent = job.sent else { return }
            let time = sent.microseconds(to: now)
            let cost: UInt64 = job.kind == .photo ? 60_000 : 5_000
            scheduler.estimator.note(
                Self.source(of: job.kind), from: Self.flow(of: job.kind).host,
                took: warmWorkers.insert(worker).inserted ? nil : time, worked: time,
                cost: TranscodeCost(ordered: cost, least: cost / 2, made: UInt64(time)))
            handle(.replied(worker, id))
        case .ended(let worker): handle(.ended(worker, nil))
        case .woken: handle(.woken)
        }
    }

    private mutating func arrive(_ kind: Kind) {
        // The arrivals have random gaps with the mean of the rate.
        let gap = -log(Double.random(in: 0.001..<1, using: &generator))
        add(.arrival(kind), after: (kind == .photo ? interval : .milliseconds(200)) * gap)
        let deadline = now + Self.budget
        do {
            let reservation = try scheduler.reserve(for: Self.flow(of: kind), until: deadline, at: now)
            add(.downloaded(reservation, kind, deadline: deadline), after: .milliseconds(20))
        } catch {
            if kind == .small { lostSmall += 1 }
        }
    }

    private mutating func handle(_ event: PoolStateMachine.Event) {
        for action in scheduler.machine.handle(event, at: now) {
            switch action {
            case .start: startCount += 1
            case .send(let job, let worker): send(job, to: worker)
            case .kill(let worker): add(.ended(worker), after: .milliseconds(5))
            case .finish(let id, let why):
                guard let job = jobs.removeValue(forKey: id) else { continue }
                if why != .replied, job.kind == .small { lostSmall += 1 }
                guard why == .replied, job.kind == .photo, now >= start + Self.budget else { continue }
                useful += 1
                if job.isReduced { reduced += 1 }
            case .wake(let instant): add(.woken, after: now.duration(to: instant))
            }
        }
    }

    /// Lets a worker make the whole rendition, or a smaller one if the time is too short. The times vary by a fifth.
    private mutating func send(_ id: JobID, to worker: WorkerID) {
        let whole = jobs[id]?.kind == .photo ? 60_000.0 : 5_000
        let left = jobs[id].map { now.microseconds(to: $0.deadline) } ?? 0
        let time = left < whole ? max(whole / 2, left * 0.9) : whole
        jobs[id]?.isReduced = time < whole
        jobs[id]?.sent = now
        let startTime = warmWorkers.contains(worker) ? 0.0 : 20_000
        let taken = time * Double.random(in: 0.8...1.2, using: &generator) + startTime
        add(.replied(worker, id), after: .microseconds(taken))
    }

    private static func flow(of kind: Kind) -> TranscodeFlow {
        TranscodeFlow(group: .default, host: kind == .photo ? "photos.example" : "small.example")
    }

    private static func source(of kind: Kind) -> TranscodeSource {
        kind == .photo
            ? .test(.jpeg, pixels: 12_000_000, byteCount: 3_000_000) : .test(.jpeg, pixels: 480_000, byteCount: 70_000)
    }
}
