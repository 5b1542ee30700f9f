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
