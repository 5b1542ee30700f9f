import Base
import NotificationModel

/// A fair queue of the jobs that wait for a worker or for the download of their media items. It has no side effects.
///
/// The jobs with the highest priority come first. Among them, the app group that has used the least time of the workers
/// comes first, then its host that has used the least time, and then the host's job with the earliest deadline.
///
/// The turns of hosts serve the small images of `overload`, all of which are rich beside another host's photos. The
/// turns of app groups serve `groups`: the media of all groups are shown.
struct TranscodeQueue {
    private struct GroupKey: Hashable {
        let priority: Int
        let group: AppGroupName

        init(_ flow: TranscodeFlow) { (priority, group) = (flow.priority, flow.group) }
    }

    /// The longest time for which a reservation counts as work. Otherwise, the downloads of stalled origins would make
    /// an idle pool refuse other media. Serves `frames`: images of other hosts are rich beside downloads that do not end.
    private static let maxDownload = Duration.seconds(5)

    /// The jobs of each flow, ordered by deadline.
    private var flows: [TranscodeFlow: [PoolJob]] = [:]
    private var flowOfJob: [JobID: TranscodeFlow] = [:]
    private var groupShares = FairShares<Int, GroupKey>()
    private var hostShares = FairShares<GroupKey, TranscodeFlow>()

    /// Returns the number of notification jobs, or of warming jobs, whose media items are downloaded.
    func readyCount(isWarming: Bool) -> Int {
        flows.reduce(0) { count, flow in
            flow.key.isWarming == isWarming ? count + flow.value.count(where: \.isReady) : count
        }
    }

    /// Returns whether the queue has the job without its media item.
    func isReserved(_ job: JobID) -> Bool {
        flowOfJob[job].flatMap { flows[$0] }?.contains { $0.id == job && !$0.isReady } ?? false
    }

    /// Adds a job, or replaces the job of the same number.
    mutating func insert(_ job: PoolJob) {
        remove(job.id)
        let flow = job.terms.flow
        let place = flows[flow]?.firstIndex { job.terms.deadline < $0.terms.deadline }
        flows[flow, default: []].insert(job, at: place ?? flows[flow]?.count ?? 0)
        flowOfJob[job.id] = flow
    }

    @discardableResult
    mutating func remove(_ job: JobID) -> PoolJob? {
        guard let flow = flowOfJob.removeValue(forKey: job),
            let place = flows[flow]?.firstIndex(where: { $0.id == job })
        else { return nil }
        let removed = flows[flow]?.remove(at: place)
        if flows[flow]?.isEmpty == true {
            flows[flow] = nil
            hostShares.remove(flow)
            let group = GroupKey(flow)
            if !flows.keys.contains(where: { GroupKey($0) == group }) {
                groupShares.remove(group)
                hostShares.removeGroup(group)
            }
        }
        return removed
    }

    /// Removes all jobs whose media items are downloaded, and returns them.
    mutating func removeReady() -> [JobID] {
        let ready = flows.values.joined().filter(\.isReady).map(\.id)
        for job in ready { remove(job) }
        return ready
    }

    /// Moves a waiting job to a higher rank.
    mutating func raise(_ job: JobID, to rank: Int) {
        guard let flow = flowOfJob[job], flow.priority < rank, var raised = remove(job) else { return }
        raised.terms.flow.priority = rank
        insert(raised)
    }

    // MARK: Order

    /// Returns the next notification job, or the next warming job, that a worker may start.
    func next(isWarming: Bool, where isEligible: (TranscodeTerms) -> Bool = { _ in true }) -> PoolJob? {
        var next: (order: (Int, Double, Double, MonotonicInstant, JobID), job: PoolJob)?
        for (flow, jobs) in flows where flow.isWarming == isWarming {
            guard let job = jobs.first(where: { $0.isReady && isEligible($0.terms) }) else { continue }
            let group = GroupKey(flow)
            let order = (
                -flow.priority, groupShares.share(of: group, in: flow.priority), hostShares.share(of: flow, in: group),
                job.terms.deadline, job.id
            )
            if let next, next.order < order { continue }
            next = (order, job)
        }
        return next?.job
    }

    /// Removes a job that a worker starts, and charges its time to its host and its app group. A host without other
    /// jobs in the queue gets the next turn again.
    mutating func start(_ job: PoolJob, at now: MonotonicInstant) {
        let (flow, group, time) = (job.terms.flow, GroupKey(job.terms.flow), job.terms.possibleTime(from: now))
        groupShares.charge(time, to: group, in: flow.priority)
        hostShares.charge(time, to: flow, in: group)
        remove(job.id)
    }

    // MARK: Estimated wait

    /// Returns the time of the work before a new job with these terms, in microseconds of one worker. Each job in the
    /// sum has the time that it can take before its own deadline.
    ///
    /// The result is the sum of three parts. The first part is all jobs of higher priorities. The second part is the
    /// jobs of the same flow with earlier deadlines. The third part is the jobs of each peer, which is another host of
    /// the group or another group. For a peer, the sum is limited to the time of the job's own flow or group up to and
    /// including the job, because peers take turns.
    ///
    /// - Parameter isCounted: A function that returns whether a job is in the sum.
    func timeAhead(
        of terms: TranscodeTerms, at now: MonotonicInstant, where isCounted: (TranscodeTerms) -> Bool = { _ in true }
    ) -> Double {
        func sum(_ jobs: some Sequence<PoolJob>) -> Double {
            jobs.reduce(0) { sum, job in
                let isExpected = job.isReady || now < job.since + Self.maxDownload
                return isExpected && isCounted(job.terms) ? sum + job.terms.possibleTime(from: now) : sum
            }
        }
        let (own, ownTime) = (terms.flow, terms.possibleTime(from: now))
        var (ofHigher, ofFlow) = (0.0, 0.0)
        var ofHosts: [Double] = []
        var ofGroups: [AppGroupName: Double] = [:]
        for (flow, jobs) in flows where flow.isWarming == own.isWarming && flow.priority >= own.priority {
            if flow.priority > own.priority {
                ofHigher += sum(jobs)
            } else if flow == own {
                ofFlow = sum(jobs.prefix { $0.terms.deadline <= terms.deadline })
            } else if flow.group == own.group {
                ofHosts.append(sum(jobs))
            } else {
                ofGroups[flow.group, default: 0] += sum(jobs)
            }
        }
        let ofGroup = ofHosts.reduce(ofFlow) { $0 + min($1, ofFlow + ownTime) }
        return ofGroups.values.reduce(ofHigher + ofGroup) { $0 + min($1, ofGroup + ownTime) }
    }
}

/// The time of the workers that the members of groups have used, as in start-time fair queueing (Goyal, Vin and Cheng,
/// SIGCOMM 1996). The members of a group take turns: the member that has used the least time is the next.
///
/// A member gets no compensation for the time in which it had no job that could be started. Its share is therefore at
/// least that of the member whose job was started last.
struct FairShares<Group: Hashable, Member: Hashable> {
    private var used: [Member: Double] = [:]
    private var turns: [Group: Double] = [:]

    func share(of member: Member, in group: Group) -> Double {
        let turn = turns[group] ?? 0
        return max(used[member] ?? turn, turn)
    }

    /// Records that a job of a member starts. The time of the job is in microseconds.
    mutating func charge(_ time: Double, to member: Member, in group: Group) {
        let turn = share(of: member, in: group)
        turns[group] = turn
        used[member] = turn + max(1, time)
    }

    /// Forgets a member without jobs.
    mutating func remove(_ member: Member) { used[member] = nil }

    /// Forgets a group without members.
    mutating func removeGroup(_ group: Group) { turns[group] = nil }
}
