package import NotificationModel

/// What a job asks of the queue.
package struct TranscodeTerms: Sendable, Equatable {
    package var flow: TranscodeFlow
    /// When its renditions must be made.
    package var deadline: MonotonicInstant
    /// Microseconds at the pace of 1, for all that is ordered; 0 when nothing is known.
    package var cost: Double
    /// The same for the least that may be made in its place; 0 when its host is unknown.
    package var leastCost: Double

    package init(flow: TranscodeFlow, deadline: MonotonicInstant, cost: Double = 0, leastCost: Double = 0) {
        self.flow = flow
        self.deadline = deadline
        self.cost = cost
        self.leastCost = leastCost
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
        /// Of all entries.
        var cost = 0.0
        /// What the flow has had of the workers, counted from the share of its peers when it came.
        var served: Double

        /// Where a job with the deadline belongs: after all that are not later.
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
    package func hasReady(isWarming: Bool) -> Bool { flows.contains { $1.readyCount > 0 && $0.isWarming == isWarming } }

    /// Of all jobs, at the pace of 1.
    package var cost: Double { flows.values.reduce(0) { $0 + $1.cost } }

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
        flow.cost += terms.cost
        flows[terms.flow] = flow
        groups[key] = group
        flowOfJob[job] = terms.flow
    }

    /// Counts a reserved job as no work any more, until it is submitted. Its place stays.
    package mutating func discount(_ job: JobID) {
        guard let key = flowOfJob[job], var flow = flows.removeValue(forKey: key) else { return }
        if let place = flow.entries.firstIndex(where: { $0.job == job && !$0.isReady }) {
            flow.cost -= flow.entries[place].terms.cost
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

    /// Takes the job whose turn it is.
    ///
    /// - Parameter isWarming: whether a job that warms is taken, or one of a notification.
    package mutating func takeNext(isWarming: Bool = false) -> Next? {
        guard let (key, flow) = nextFlow(isWarming: isWarming), let entry = flow.entries.first(where: \.isReady) else {
            return nil
        }
        let served = max(1, entry.terms.cost)
        turns[key.priority] = groups[GroupKey(key)]?.served
        groups[GroupKey(key)]?.turn = flow.served
        groups[GroupKey(key)]?.served += served
        flows[key]?.served += served
        remove(entry.job)
        return Next(job: entry.job, terms: entry.terms, attempts: entry.attempts)
    }

    private func nextFlow(isWarming: Bool) -> (TranscodeFlow, Flow)? {
        func rank(_ flow: TranscodeFlow, _ state: Flow) -> (Int, Double, Double) {
            (-flow.priority, groups[GroupKey(flow)]?.served ?? 0, state.served)
        }
        var best: (key: TranscodeFlow, value: Flow)?
        for (key, value) in flows where value.readyCount > 0 && key.isWarming == isWarming {
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
        flow.cost = flow.entries.isEmpty ? 0 : max(0, flow.cost - entry.terms.cost)
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
    /// itself has had by then, or all that the peer has.
    package func costAhead(of terms: TranscodeTerms) -> Double {
        let (own, key) = (terms.flow, GroupKey(terms.flow))
        var (ahead, ofFlow) = (0.0, 0.0)
        var peers: [Double] = []
        var others: [AppGroupName: Double] = [:]
        for (flow, state) in flows {
            if flow.isWarming != own.isWarming {
                continue
            } else if flow.priority > own.priority {
                ahead += state.cost
            } else if flow == own {
                ofFlow = state.entries.prefix(state.place(of: terms.deadline))
                    .reduce(0) { $0 + $1.terms.cost }
            } else if GroupKey(flow) == key {
                peers.append(state.cost)
            } else if flow.priority == own.priority {
                others[flow.group, default: 0] += state.cost
            }
        }
        let ofGroup = peers.reduce(ofFlow) { $0 + min($1, ofFlow + terms.cost) }
        return others.values.reduce(ahead + ofGroup) { $0 + min($1, ofGroup + terms.cost) }
    }
}

extension TranscodeFlow {
    fileprivate var isWarming: Bool { priority <= MediaRank.warming }

    /// For an order among equals.
    fileprivate var name: String { "\(group) \(host)" }
}
