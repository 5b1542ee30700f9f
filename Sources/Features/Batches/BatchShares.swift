import Base
import DequeModule

/// The limit of the memory for lines in progress, in units. The callers of batches get their units in turns, so that a
/// long batch of one caller does not delay the lines of another.
package final class BatchShares: Sendable {
    private struct Line {
        let number: UInt64
        let units: Int
        let waiter: Waiter<Bool>
    }

    private struct Owner {
        /// The number of units that the owner's lines hold.
        var held = 0
        var waiting: Deque<Line> = []
        /// Whether the owner is in the order of turns.
        var hasTurn = false
    }

    private struct State {
        var free: Int
        var owners: [String: Owner] = [:]
        /// The owners with a waiting line, in the order of their turns. An owner that has all of its units has no turn.
        var order: Deque<String> = []
        var lastNumber: UInt64 = 0
    }

    /// The number of units that one owner can hold. It is half of all units, so that another owner always gets some.
    package let maxOfOwner: Int
    private let state: Guarded<State>

    /// - Parameter units: The number of units of all owners, at least 2.
    package init(units: Int) {
        maxOfOwner = max(1, units / 2)
        state = Guarded(State(free: max(2, units)))
    }

    /// Waits for units. Returns `false` if the task is cancelled, or the event is signalled. The caller then has no units.
    ///
    /// - Parameter units: The number of units, at most ``maxOfOwner``.
    func acquire(_ units: Int, by name: String, unless event: AsyncEvent? = nil) async -> Bool {
        let waiter = Waiter<Bool>()
        let (number, granted) = state.withLock { state in
            state.lastNumber += 1
            let line = Line(number: state.lastNumber, units: min(units, maxOfOwner), waiter: waiter)
            state.owners[name, default: Owner()].waiting.append(line)
            return (state.lastNumber, giveTurns(&state, to: name))
        }
        for waiter in granted { waiter.resume(returning: true) }
        let watch = event.map { event in (event, event.whenSignalled { self.abandon(number, of: name) }) }
        defer { if let (event, id) = watch { event.forget(id) } }
        return await waiter.value { _ in self.abandon(number, of: name) }
    }

    /// Returns units of an owner. The owners whose turn it is get them.
    func release(_ units: Int, by name: String) {
        let granted = state.withLock { state in
            let units = min(units, maxOfOwner)
            state.free += units
            state.owners[name]?.held -= units
            return giveTurns(&state, to: name)
        }
        for waiter in granted { waiter.resume(returning: true) }
    }

    /// The number of lines that wait.
    var waitingCount: Int { state.withLock { $0.owners.values.reduce(0) { $0 + $1.waiting.count } } }

    /// The number of owners with a line that holds units or waits for them.
    var ownerCount: Int { state.withLock(\.owners.count) }

    private func abandon(_ number: UInt64, of name: String) {
        let (abandoned, granted) = state.withLock { state -> (Waiter<Bool>?, [Waiter<Bool>]) in
            guard let index = state.owners[name]?.waiting.firstIndex(where: { $0.number == number }) else {
                return (nil, [])
            }
            let line = state.owners[name]?.waiting.remove(at: index)
            return (line?.waiter, giveTurns(&state, to: name))
        }
        abandoned?.resume(returning: false)
        for waiter in granted { waiter.resume(returning: true) }
    }

    /// Puts an owner into the order of turns if its first line may hold its units, and gives the free units to the
    /// owners in that order. The first owner waits until its units are free, so that smaller lines do not pass it.
    private func giveTurns(_ state: inout State, to name: String) -> [Waiter<Bool>] {
        enter(name, &state)
        var granted: [Waiter<Bool>] = []
        while let next = state.order.first {
            guard var owner = state.owners[next], let line = owner.waiting.first,
                owner.held + line.units <= maxOfOwner
            else {
                state.order.removeFirst()
                state.owners[next]?.hasTurn = false
                continue
            }
            guard line.units <= state.free else { break }
            state.order.removeFirst()
            state.free -= line.units
            owner.held += line.units
            owner.waiting.removeFirst()
            owner.hasTurn = false
            state.owners[next] = owner
            granted.append(line.waiter)
            enter(next, &state)
        }
        if let owner = state.owners[name], owner.held == 0, owner.waiting.isEmpty { state.owners[name] = nil }
        return granted
    }

    private func enter(_ name: String, _ state: inout State) {
        guard let owner = state.owners[name], !owner.hasTurn, let line = owner.waiting.first,
            owner.held + line.units <= maxOfOwner
        else { return }
        state.owners[name]?.hasTurn = true
        state.order.append(name)
    }
}
