package import NotificationModel

/// The conditions of a job, by which the queue orders it.
package struct TranscodeTerms: Sendable, Equatable {
    package var flow: TranscodeFlow
    /// When its renditions must be made.
    package var deadline: MonotonicInstant
    /// Microseconds at the pace of 1, for all that is ordered; 0 when nothing is known.
    package var cost: Double
    /// The same for the least that may be made in its place, as the still of a video.
    package var leastCost: Double
    /// The costs are means of other hosts' jobs. The job is tried, whatever they are: its medium may be small.
    package var isTried: Bool
    /// The job makes a still of the first bytes of a download. The reservation of the whole file stays beside it.
    package var isPart: Bool
    /// The job is one of a video, and nothing is known of its cost.
    package var mayBeLong: Bool

    package init(
        flow: TranscodeFlow, deadline: MonotonicInstant, cost: Double = 0, leastCost: Double = 0,
        isTried: Bool = false, isPart: Bool = false, mayBeLong: Bool = false
    ) {
        self.flow = flow
        self.deadline = deadline
        self.cost = cost
        self.leastCost = leastCost
        self.isTried = isTried
        self.isPart = isPart
        self.mayBeLong = mayBeLong
    }

    /// The cost for which the job needs time before it is worth a worker, at the pace of 1.
    var neededCost: Double { isTried ? 0 : leastCost }

    /// Whether the least is a still in place of a video. The still takes a small part of the time, and the worker makes
    /// nothing in between. A picture is made only as much smaller as its time demands.
    var hasStill: Bool { leastCost * 4 < cost }

    /// Returns the cost that the job can have before its own deadline, in microseconds at the pace of 1. A video that does
    /// not fit becomes its still, and a picture takes all the time that is left.
    ///
    /// - Parameters:
    ///   - instant: the earliest start of the job.
    ///   - pace: time over cost.
    func possibleCost(from instant: MonotonicInstant, at pace: Double) -> Double {
        let left = max(0, instant.microseconds(to: deadline) / pace)
        return cost <= left ? cost : hasStill ? min(leastCost, left) : left
    }
}

/// The jobs that wait for a worker, and those whose media are still being downloaded: fair queueing. Pure.
///
/// The highest priority comes first. Among its app groups the one comes next that has had the least of the workers' time,
/// in it the host that has had the least, and of that host's jobs the one with the earliest deadline. So a host with large
/// pictures does not hold up another one's small pictures, however many jobs it has.
package struct TranscodeQueue {
    private struct Entry {
        let job: JobID
        var terms: TranscodeTerms
        /// Its medium is downloaded.
        var isReady: Bool
        var attempts: Int
    }

    private struct Flow {
        /// By deadline.
        var entries: [Entry] = []
        var readyCount = 0
        /// Cost that the workers have spent at the flow, counted from the share of its peers when it came.
        var served: Double

        func hasReady(where isEligible: ((TranscodeTerms) -> Bool)?) -> Bool {
            readyCount > 0 && (isEligible == nil || firstReady(where: isEligible) != nil)
        }

        /// Returns the job with the earliest deadline of those that are ready and eligible.
        func firstReady(where isEligible: ((TranscodeTerms) -> Bool)?) -> Entry? {
            entries.first { $0.isReady && isEligible?($0.terms) ?? true }
        }

        /// Returns the index of a job with the deadline: after all jobs that are not later.
        func place(of deadline: MonotonicInstant) -> Int {
            var range = 0..<entries.count
            while !range.isEmpty {
                let middle = range.lowerBound + range.count / 2
                if entries[middle].terms.deadline <= deadline {
                    range = middle + 1..<range.upperBound
                } else {
                    range = range.lowerBound..<middle
                }
            }
            return range.lowerBound
        }
    }

    private struct GroupKey: Hashable {
        var priority: Int
        var group: AppGroupName

        init(_ flow: TranscodeFlow) { (priority, group) = (flow.priority, flow.group) }
    }

    private struct Group {
        var flowCount = 0
        var readyCount = 0
        var served: Double
        /// `served` of the flow that had the last turn.
        var turn = 0.0
    }

    package struct Next: Equatable {
        package let job: JobID
        package let terms: TranscodeTerms
        /// Workers that have ended at it before.
        package let attempts: Int
    }

    private var flows: [TranscodeFlow: Flow] = [:]
    private var groups: [GroupKey: Group] = [:]
    private var flowOfJob: [JobID: TranscodeFlow] = [:]
    /// `served` of the group that had the last turn, by priority.
    private var turns: [Int: Double] = [:]

    package init() {}

    package var isEmpty: Bool { flowOfJob.isEmpty }
    /// Jobs whose media are downloaded.
    package var readyCount: Int { flows.values.reduce(0) { $0 + $1.readyCount } }
    /// Whether `takeNext` would take a job.
    package func hasReady(isWarming: Bool = false, where isEligible: ((TranscodeTerms) -> Bool)? = nil) -> Bool {
        flows.contains { $0.isWarming == isWarming && $1.hasReady(where: isEligible) }
    }

    /// Cost of all jobs, at the pace of 1.
    package var cost: Double { flows.values.reduce(0) { $1.entries.reduce($0) { $0 + $1.terms.cost } } }

    /// Returns the earliest of the instants that the jobs of notifications with downloaded media have; `nil` if none has one.
    package func earliestOfReady(_ instant: (TranscodeTerms) -> MonotonicInstant?) -> MonotonicInstant? {
        var earliest: MonotonicInstant?
        for (key, flow) in flows where !key.isWarming {
            for entry in flow.entries where entry.isReady {
                guard let candidate = instant(entry.terms) else { continue }
                earliest = min(earliest ?? candidate, candidate)
            }
        }
        return earliest
    }

    package func contains(_ job: JobID) -> Bool { flowOfJob[job] != nil }

    /// Whether the job is there without its medium.
    package func isReserved(_ job: JobID) -> Bool {
        flowOfJob[job].flatMap { flows[$0] }?.entries.contains { $0.job == job && !$0.isReady } ?? false
    }

    // MARK: Changing

    /// Adds a job, or gives one that is there new terms.
    package mutating func insert(_ job: JobID, _ terms: TranscodeTerms, isReady: Bool, attempts: Int = 0) {
        // Its flow keeps its share of the workers, also when this is its only job.
        if flowOfJob[job] == terms.flow { take(job) } else { remove(job) }
        let key = GroupKey(terms.flow)
        var group = groups.removeValue(forKey: key) ?? Group(served: turns[terms.flow.priority] ?? 0)
        var flow =
            flows.removeValue(forKey: terms.flow)
            ?? {
                group.flowCount += 1
                return Flow(served: group.turn)
            }()
        if isReady {
            // A flow that had nothing for the workers gets no turns for that time.
            if flow.readyCount == 0 { flow.served = max(flow.served, group.turn) }
            if group.readyCount == 0 { group.served = max(group.served, turns[terms.flow.priority] ?? 0) }
            flow.readyCount += 1
            group.readyCount += 1
        }
        let entry = Entry(job: job, terms: terms, isReady: isReady, attempts: attempts)
        flow.entries.insert(entry, at: flow.place(of: terms.deadline))
        flows[terms.flow] = flow
        groups[key] = group
        flowOfJob[job] = terms.flow
    }

    /// Counts a reserved job as no work any more, until it is submitted. Its place stays.
    package mutating func discount(_ job: JobID) {
        guard let key = flowOfJob[job], var flow = flows.removeValue(forKey: key) else { return }
        if let place = flow.entries.firstIndex(where: { $0.job == job && !$0.isReady }) {
            flow.entries[place].terms.cost = 0
        }
        flows[key] = flow
    }

    /// Moves a job that waits to a higher rank.
    package mutating func raise(_ job: JobID, to rank: Int) {
        guard let key = flowOfJob[job], key.priority < rank,
            var entry = flows[key]?.entries.first(where: { $0.job == job })
        else { return }
        entry.terms.flow.priority = rank
        insert(job, entry.terms, isReady: entry.isReady, attempts: entry.attempts)
    }

    package mutating func remove(_ job: JobID) {
        guard let flow = flowOfJob[job] else { return }
        take(job)
        forgetIfEmpty(flow)
    }

    /// Removes all jobs whose media are downloaded, and returns them.
    package mutating func removeReady() -> [JobID] {
        let ready = flows.values.flatMap(\.entries).filter(\.isReady).map(\.job)
        for job in ready { remove(job) }
        return ready
    }

    /// Takes the job whose turn it is. A host or an app group that waits without an eligible job gets no turns for that
    /// time.
    ///
    /// - Parameters:
    ///   - isWarming: whether a job that warms is taken, or one of a notification.
    ///   - isEligible: whether a job may be taken; `nil` if all may.
    ///   - cost: returns what a job takes of the share of its host and of its app group, at the pace of 1.
    package mutating func takeNext(
        isWarming: Bool = false, where isEligible: ((TranscodeTerms) -> Bool)? = nil,
        counting cost: (TranscodeTerms) -> Double = { $0.cost }
    ) -> Next? {
        guard let (key, flow) = nextFlow(isWarming: isWarming, where: isEligible),
            let entry = flow.firstReady(where: isEligible)
        else { return nil }
        let served = max(1, cost(entry.terms))
        turns[key.priority] = groups[GroupKey(key)]?.served
        groups[GroupKey(key)]?.turn = flow.served
        groups[GroupKey(key)]?.served += served
        flows[key]?.served += served
        if let isEligible { passOver(where: isEligible, at: key.priority) }
        remove(entry.job)
        return Next(job: entry.job, terms: entry.terms, attempts: entry.attempts)
    }

    /// Raises the shares of those that had no eligible job to the share of the one that had the turn.
    private mutating func passOver(where isEligible: @escaping (TranscodeTerms) -> Bool, at priority: Int) {
        var eligible: Set<AppGroupName> = []
        for (key, flow) in flows where key.priority == priority {
            if flow.hasReady(where: isEligible) {
                eligible.insert(key.group)
            } else {
                flows[key]?.served = max(flow.served, groups[GroupKey(key)]?.turn ?? 0)
            }
        }
        for (key, group) in groups where key.priority == priority && !eligible.contains(key.group) {
            groups[key]?.served = max(group.served, turns[priority] ?? 0)
        }
    }

    private func nextFlow(
        isWarming: Bool, where isEligible: ((TranscodeTerms) -> Bool)?
    ) -> (TranscodeFlow, Flow)? {
        func rank(_ flow: TranscodeFlow, _ state: Flow) -> (Int, Double, Double) {
            (-flow.priority, groups[GroupKey(flow)]?.served ?? 0, state.served)
        }
        var best: (key: TranscodeFlow, value: Flow)?
        for (key, value) in flows where key.isWarming == isWarming && value.hasReady(where: isEligible) {
            guard let other = best else {
                best = (key, value)
                continue
            }
            let (mine, others) = (rank(key, value), rank(other.key, other.value))
            // Equal ones take turns by name, so that the order does not follow the hashes.
            if mine < others || mine == others && key.name < other.key.name { best = (key, value) }
        }
        return best.map { ($0.key, $0.value) }
    }

    private mutating func take(_ job: JobID) {
        guard let key = flowOfJob.removeValue(forKey: job), var flow = flows.removeValue(forKey: key),
            let place = flow.entries.firstIndex(where: { $0.job == job })
        else { return }
        let entry = flow.entries.remove(at: place)
        if entry.isReady {
            flow.readyCount -= 1
            groups[GroupKey(key)]?.readyCount -= 1
        }
        flows[key] = flow
    }

    private mutating func forgetIfEmpty(_ key: TranscodeFlow) {
        guard flows[key]?.entries.isEmpty == true else { return }
        flows[key] = nil
        let group = GroupKey(key)
        groups[group]?.flowCount -= 1
        if groups[group]?.flowCount == 0 { groups[group] = nil }
    }

    // MARK: Telling

    /// Returns what the workers do before a new job with these terms, at the pace of 1.
    ///
    /// All of the higher priorities; what its own flow has with earlier deadlines; and of each peer as much as the flow
    /// itself has had by then, or all that the peer has. Reservations of whole files are not ahead of a part: its own
    /// download has one, and most downloads that are incomplete so late do not end in time.
    ///
    /// - Parameter cost: returns what a job counts, at the pace of 1.
    package func costAhead(
        of terms: TranscodeTerms, counting cost: (TranscodeTerms) -> Double = { $0.cost }
    ) -> Double {
        let (own, key, ownCost) = (terms.flow, GroupKey(terms.flow), cost(terms))
        func sum(_ entries: some Sequence<Entry>) -> Double {
            entries.reduce(0) { sum, entry in
                let isCounted = entry.isReady || entry.terms.isPart || !terms.isPart
                return isCounted ? sum + cost(entry.terms) : sum
            }
        }
        var (ahead, ofFlow) = (0.0, 0.0)
        var peers: [Double] = []
        var others: [AppGroupName: Double] = [:]
        for (flow, state) in flows {
            if flow.isWarming != own.isWarming {
                continue
            } else if flow.priority > own.priority {
                ahead += sum(state.entries)
            } else if flow == own {
                ofFlow = sum(state.entries.prefix(state.place(of: terms.deadline)))
            } else if GroupKey(flow) == key {
                peers.append(sum(state.entries))
            } else if flow.priority == own.priority {
                others[flow.group, default: 0] += sum(state.entries)
            }
        }
        let ofGroup = peers.reduce(ofFlow) { $0 + min($1, ofFlow + ownCost) }
        return others.values.reduce(ahead + ofGroup) { $0 + min($1, ofGroup + ownCost) }
    }
}

extension TranscodeFlow {
    fileprivate var isWarming: Bool { priority <= MediaRank.warming }

    /// For an order among equals.
    fileprivate var name: String { "\(group) \(host)" }
}
