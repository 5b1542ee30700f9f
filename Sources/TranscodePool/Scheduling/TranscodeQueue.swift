import NotificationModel
package import Primitives

/// A fair queue of the jobs that wait for a worker, and of the jobs whose media items are being downloaded. The type
/// has no side effects.
///
/// The jobs with the highest priority come first. Among them, the queue selects the app group that has used the least
/// time of the workers. Within the group, it selects the host that has used the least time, and then the host's job
/// with the earliest deadline. A host with large images therefore does not delay another host's small images, even if
/// the first host has many jobs.
package struct TranscodeQueue {
    private struct Entry {
        let job: JobID
        var terms: TranscodeTerms
        /// Whether the job's media item is downloaded.
        var isReady: Bool
        var attempts: Int
    }

    private struct Flow {
        /// The jobs, ordered by deadline.
        var entries: [Entry] = []
        var readyCount = 0
        /// The cost that the workers have spent on the flow. A new flow begins with the value of the other flows, so
        /// that it gets no advantage.
        var served: Double

        func hasReady(where isEligible: ((TranscodeTerms) -> Bool)?) -> Bool {
            readyCount > 0 && (isEligible == nil || firstReady(where: isEligible) != nil)
        }

        /// Returns the job with the earliest deadline among the jobs that are ready and eligible.
        func firstReady(where isEligible: ((TranscodeTerms) -> Bool)?) -> Entry? {
            entries.first { $0.isReady && isEligible?($0.terms) ?? true }
        }

        /// Returns the index at which a job with the deadline is inserted. The index is after all jobs with the same or
        /// an earlier deadline.
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
        /// The value of `served` of the flow whose job was taken last.
        var turn = 0.0
    }

    package struct Next: Equatable {
        package let job: JobID
        package let terms: TranscodeTerms
        /// The number of workers that have ended during this job before.
        package let attempts: Int
    }

    private var flows: [TranscodeFlow: Flow] = [:]
    private var groups: [GroupKey: Group] = [:]
    private var flowOfJob: [JobID: TranscodeFlow] = [:]
    /// The value of `served` of the group whose job was taken last, by priority.
    private var turns: [Int: Double] = [:]

    package init() {}

    package var isEmpty: Bool { flowOfJob.isEmpty }
    /// The number of jobs whose media items are downloaded.
    package var readyCount: Int { flows.values.reduce(0) { $0 + $1.readyCount } }
    /// Returns whether `takeNext` would return a job.
    package func hasReady(isWarming: Bool = false, where isEligible: ((TranscodeTerms) -> Bool)? = nil) -> Bool {
        flows.contains { $0.isWarming == isWarming && $1.hasReady(where: isEligible) }
    }

    /// The cost of all jobs, at a pace of 1.
    package var cost: Double { flows.values.reduce(0) { $1.entries.reduce($0) { $0 + $1.terms.cost } } }

    /// Returns the earliest of the instants of notification jobs whose media items are downloaded, or `nil` if no job
    /// has an instant.
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

    /// Returns whether the queue has the job without its media item.
    package func isReserved(_ job: JobID) -> Bool {
        flowOfJob[job].flatMap { flows[$0] }?.entries.contains { $0.job == job && !$0.isReady } ?? false
    }

    // MARK: Changing

    /// Adds a job, or gives a job in the queue new terms.
    package mutating func insert(_ job: JobID, _ terms: TranscodeTerms, isReady: Bool, attempts: Int = 0) {
        // The flow of the job keeps its share of the workers, even if this is its only job.
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
            // A flow gets no compensation for the time in which it had no ready jobs.
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

    /// Excludes a reserved job from the estimated wait until the job is submitted. The reservation stays in the queue.
    package mutating func discount(_ job: JobID) {
        guard let key = flowOfJob[job], var flow = flows.removeValue(forKey: key) else { return }
        if let place = flow.entries.firstIndex(where: { $0.job == job && !$0.isReady }) {
            flow.entries[place].terms.cost = 0
        }
        flows[key] = flow
    }

    /// Moves a waiting job to a higher rank.
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

    /// Removes all jobs whose media items are downloaded, and returns them.
    package mutating func removeReady() -> [JobID] {
        let ready = flows.values.flatMap(\.entries).filter(\.isReady).map(\.job)
        for job in ready { remove(job) }
        return ready
    }

    /// Removes and returns the next job. A host or an app group gets no compensation for the time in which it has no
    /// eligible job.
    ///
    /// - Parameter isWarming: Whether a warming job is taken instead of a job of a notification.
    /// - Parameter isEligible: A function that returns whether a job may be taken; `nil` if all jobs may be taken.
    /// - Parameter cost: A function that returns the cost of a job, at a pace of 1. The cost is taken from the share of
    ///   the job's host and app group.
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

    /// Raises `served` of each flow and group without an eligible job. The new value is `served` of the flow or group
    /// whose job was taken last.
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
            // Flows with equal shares are ordered by name, so that the order does not depend on hash values.
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

    // MARK: Estimating

    /// Returns the cost of the work before a new job with these terms, at a pace of 1.
    ///
    /// The result is the sum of three parts. The first part is all jobs of higher priorities. The second part is the
    /// jobs of the same flow with earlier deadlines. The third part is the jobs of each peer, which is another host of
    /// the group or another group. For a peer, the sum is limited to the cost of the job's own flow or group up to and
    /// including the job.
    ///
    /// For a job that makes a still image from a part, reservations of whole files are not included. The download of
    /// the part has such a reservation itself, and most downloads that are incomplete so late do not end in time.
    ///
    /// - Parameter cost: A function that returns the cost of a job in the sum, at a pace of 1.
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

    /// A name that decides the order of flows with equal shares.
    fileprivate var name: String { "\(group) \(host)" }
}
