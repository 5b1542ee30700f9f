/// Who waits for which piece of work: pure.
///
/// A flight is one piece of work for all who want it at the same time. It begins with the first, ends when it is done or
/// when the last has left, and nobody joins it afterwards.
///
/// Public and inlinable, so that it is compiled for the keys that it is used with.
public struct SingleflightTable<Key: Hashable & Sendable>: Sendable {
    public typealias FlightID = UInt64
    public typealias FollowerID = UInt64

    public enum Boarding: Equatable {
        /// The flight is to be begun.
        case first(FlightID)
        case joined(FlightID)
    }

    @usableFromInline struct Flight: Sendable {
        @usableFromInline let key: Key
        /// Mostly the only one; `nil` when it has left.
        @usableFromInline var first: FollowerID?
        @usableFromInline let firstDeadline: MonotonicInstant
        /// With the deadline of each.
        @usableFromInline var others: [FollowerID: MonotonicInstant] = [:]

        @inlinable init(key: Key, first: FollowerID, until deadline: MonotonicInstant) {
            self.key = key
            self.first = first
            firstDeadline = deadline
        }

        /// In the order of their numbers.
        @inlinable var followers: [FollowerID] {
            let first = first.map { [$0] } ?? []
            return others.isEmpty ? first : (first + others.keys).sorted()
        }

        @inlinable mutating func leave(_ follower: FollowerID) -> Bool {
            if first == follower { first = nil } else { others[follower] = nil }
            return first == nil && others.isEmpty
        }
    }

    @usableFromInline var flights: [FlightID: Flight] = [:]
    @usableFromInline var current: [Key: FlightID] = [:]
    @usableFromInline var flightOf: [FollowerID: FlightID] = [:]
    @usableFromInline var lastFlight: FlightID = 0

    @inlinable public init() {}

    public var flightCount: Int { flights.count }

    @inlinable public mutating func board(
        _ follower: FollowerID, _ key: Key, until deadline: MonotonicInstant
    ) -> Boarding {
        if let id = current[key] {
            flights[id]?.others[follower] = deadline
            flightOf[follower] = id
            return .joined(id)
        }
        lastFlight += 1
        let id = lastFlight
        flights[id] = Flight(key: key, first: follower, until: deadline)
        current[key] = id
        flightOf[follower] = id
        return .first(id)
    }

    /// Whether a follower who comes now joins a flight.
    @inlinable public func isUnderWay(_ key: Key) -> Bool { current[key] != nil }

    /// - Returns: the flight that is to be ended, because nobody waits for it any more.
    @inlinable public mutating func leave(_ follower: FollowerID) -> FlightID? {
        guard let id = flightOf.removeValue(forKey: follower), flights[id]?.leave(follower) == true,
            let flight = flights.removeValue(forKey: id)
        else { return nil }
        close(id, flight.key)
        return id
    }

    /// The flight is done.
    ///
    /// - Returns: who waits for its result, in the order of their numbers.
    @inlinable public mutating func land(_ id: FlightID) -> [FollowerID] {
        guard let flight = flights.removeValue(forKey: id) else { return [] }
        close(id, flight.key)
        let followers = flight.followers
        for follower in followers { flightOf[follower] = nil }
        return followers
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
