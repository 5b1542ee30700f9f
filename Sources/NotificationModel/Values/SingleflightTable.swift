/// Who waits for which piece of work: pure.
///
/// A flight is one piece of work for all who want it at the same time. It begins with the first, ends when it is done or
/// when the last has left, and nobody joins it afterwards.
///
/// Public and inlinable, so that it is compiled for the keys that it is used with.
public struct SingleflightTable<Key: Hashable & Sendable>: Sendable {
    public typealias FlightID = UInt64
    public typealias WaiterID = UInt64

    public enum JoinResult: Equatable {
        /// The flight is to be begun.
        case first(FlightID)
        case joined(FlightID)
    }

    @usableFromInline struct Flight: Sendable {
        @usableFromInline let key: Key
        /// Mostly the only one; `nil` when it has left.
        @usableFromInline var first: WaiterID?
        @usableFromInline let firstDeadline: MonotonicInstant
        /// With the deadline of each.
        @usableFromInline var others: [WaiterID: MonotonicInstant] = [:]

        @inlinable init(key: Key, first: WaiterID, until deadline: MonotonicInstant) {
            self.key = key
            self.first = first
            firstDeadline = deadline
        }

        /// In the order of their numbers.
        @inlinable var waiters: [WaiterID] {
            let first = first.map { [$0] } ?? []
            return others.isEmpty ? first : (first + others.keys).sorted()
        }

        @inlinable mutating func leave(_ waiter: WaiterID) -> Bool {
            if first == waiter { first = nil } else { others[waiter] = nil }
            return first == nil && others.isEmpty
        }
    }

    @usableFromInline var flights: [FlightID: Flight] = [:]
    @usableFromInline var current: [Key: FlightID] = [:]
    @usableFromInline var flightOf: [WaiterID: FlightID] = [:]
    @usableFromInline var lastFlight: FlightID = 0

    @inlinable public init() {}

    public var flightCount: Int { flights.count }

    @inlinable public mutating func join(
        _ waiter: WaiterID, _ key: Key, until deadline: MonotonicInstant
    ) -> JoinResult {
        if let id = current[key] {
            flights[id]?.others[waiter] = deadline
            flightOf[waiter] = id
            return .joined(id)
        }
        lastFlight += 1
        let id = lastFlight
        flights[id] = Flight(key: key, first: waiter, until: deadline)
        current[key] = id
        flightOf[waiter] = id
        return .first(id)
    }

    /// Whether a follower who comes now joins a flight.
    @inlinable public func isUnderWay(_ key: Key) -> Bool { current[key] != nil }

    /// - Returns: the flight that is to be ended, because nobody waits for it any more.
    @inlinable public mutating func leave(_ waiter: WaiterID) -> FlightID? {
        guard let id = flightOf.removeValue(forKey: waiter), flights[id]?.leave(waiter) == true,
            let flight = flights.removeValue(forKey: id)
        else { return nil }
        close(id, flight.key)
        return id
    }

    /// The flight is done.
    ///
    /// - Returns: who waits for its result, in the order of their numbers.
    @inlinable public mutating func finish(_ id: FlightID) -> [WaiterID] {
        guard let flight = flights.removeValue(forKey: id) else { return [] }
        close(id, flight.key)
        let waiters = flight.waiters
        for waiter in waiters { flightOf[waiter] = nil }
        return waiters
    }

    /// Until when somebody waits for it; `nil` where nobody does.
    @inlinable public func deadline(of id: FlightID) -> MonotonicInstant? {
        guard let flight = flights[id] else { return nil }
        let latest = flight.others.values.max()
        guard flight.first != nil else { return latest }
        return max(flight.firstDeadline, latest ?? flight.firstDeadline)
    }

    @inlinable mutating func close(_ id: FlightID, _ key: Key) {
        guard let place = current.index(forKey: key), current[place].value == id else { return }
        current.remove(at: place)
    }
}
