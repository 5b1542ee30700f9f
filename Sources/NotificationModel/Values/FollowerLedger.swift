/// Who waits for which piece of work: pure.
///
/// A flight is one piece of work for all who want it at the same time. It begins with the first, ends when it is done or
/// when the last has left, and nobody joins it afterwards.
///
/// Public and inlinable, so that it is compiled for the keys that it is used with.
public struct FollowerLedger<Key: Hashable & Sendable>: Sendable {
    public typealias FlightID = UInt64
    public typealias FollowerID = UInt64

    public enum Boarding: Equatable {
        /// The flight is to be begun.
        case first(FlightID)
        case joined(FlightID)
    }

    @usableFromInline struct Flight: Sendable {
        @usableFromInline var key: Key
        /// With the deadline of each.
        @usableFromInline var followers: [FollowerID: ContinuousClock.Instant]

        @inlinable init(key: Key, followers: [FollowerID: ContinuousClock.Instant]) {
            self.key = key
            self.followers = followers
        }
    }

    @usableFromInline var flights: [FlightID: Flight] = [:]
    @usableFromInline var current: [Key: FlightID] = [:]
    @usableFromInline var flightOf: [FollowerID: FlightID] = [:]
    @usableFromInline var lastFlight: FlightID = 0

    @inlinable public init() {}

    public var flightCount: Int { flights.count }

    @inlinable public mutating func board(
        _ follower: FollowerID, _ key: Key, until deadline: ContinuousClock.Instant
    ) -> Boarding {
        if let id = current[key] {
            flights[id]?.followers[follower] = deadline
            flightOf[follower] = id
            return .joined(id)
        }
        lastFlight += 1
        let id = lastFlight
        flights[id] = Flight(key: key, followers: [follower: deadline])
        current[key] = id
        flightOf[follower] = id
        return .first(id)
    }

    /// - Returns: the flight that is to be ended, because nobody waits for it any more.
    @inlinable public mutating func leave(_ follower: FollowerID) -> FlightID? {
        guard let id = flightOf.removeValue(forKey: follower) else { return nil }
        flights[id]?.followers[follower] = nil
        guard let flight = flights[id], flight.followers.isEmpty else { return nil }
        close(id, flight)
        return id
    }

    /// The flight is done.
    ///
    /// - Returns: who waits for its result, in the order of their numbers.
    @inlinable public mutating func land(_ id: FlightID) -> [FollowerID] {
        guard let flight = flights[id] else { return [] }
        close(id, flight)
        for follower in flight.followers.keys { flightOf[follower] = nil }
        return flight.followers.keys.sorted()
    }

    /// Until when somebody waits for it; `nil` where nobody does.
    @inlinable public func deadline(of id: FlightID) -> ContinuousClock.Instant? { flights[id]?.followers.values.max() }

    @inlinable public func followers(of id: FlightID) -> [FollowerID] {
        flights[id].map { Array($0.followers.keys) } ?? []
    }

    @inlinable mutating func close(_ id: FlightID, _ flight: Flight) {
        flights[id] = nil
        if current[flight.key] == id { current[flight.key] = nil }
    }
}
