/// The running operations and their waiters, for request coalescing. The table has no side effects.
///
/// An operation with a key is shared by all waiters that ask for the key while it runs. The operation begins with the
/// first waiter. It ends when the caller finishes it or when the last waiter leaves. Later waiters begin a new one.
///
/// The table is public and inlinable, so that the compiler specializes it for its keys.
public struct SingleflightTable<Key: Hashable & Sendable>: Sendable {
    public typealias CallID = UInt64
    public typealias WaiterID = UInt64

    public enum JoinResult: Equatable {
        /// The waiter is the first waiter of the operation, and must begin the operation.
        case first(CallID)
        case joined(CallID)
    }

    @usableFromInline struct Call: Sendable {
        @usableFromInline let key: Key
        /// The first waiter, which is often the only waiter; `nil` after this waiter has left.
        @usableFromInline var first: WaiterID?
        @usableFromInline let firstDeadline: MonotonicInstant
        /// The other waiters with their deadlines.
        @usableFromInline var others: [WaiterID: MonotonicInstant] = [:]

        @inlinable init(key: Key, first: WaiterID, until deadline: MonotonicInstant) {
            self.key = key
            self.first = first
            firstDeadline = deadline
        }

        /// The waiters in the order of their ids.
        @inlinable var waiters: [WaiterID] {
            let first = first.map { [$0] } ?? []
            return others.isEmpty ? first : (first + others.keys).sorted()
        }

        @inlinable mutating func leave(_ waiter: WaiterID) -> Bool {
            if first == waiter { first = nil } else { others[waiter] = nil }
            return first == nil && others.isEmpty
        }
    }

    @usableFromInline var calls: [CallID: Call] = [:]
    @usableFromInline var current: [Key: CallID] = [:]
    @usableFromInline var callOfWaiter: [WaiterID: CallID] = [:]
    @usableFromInline var lastCall: CallID = 0

    @inlinable public init() {}

    public var callCount: Int { calls.count }

    @inlinable public mutating func join(
        _ waiter: WaiterID, _ key: Key, until deadline: MonotonicInstant
    ) -> JoinResult {
        if let id = current[key] {
            calls[id]?.others[waiter] = deadline
            callOfWaiter[waiter] = id
            return .joined(id)
        }
        lastCall += 1
        let id = lastCall
        calls[id] = Call(key: key, first: waiter, until: deadline)
        current[key] = id
        callOfWaiter[waiter] = id
        return .first(id)
    }

    /// Returns whether a new waiter would join a running operation.
    @inlinable public func isUnderWay(_ key: Key) -> Bool { current[key] != nil }

    /// Removes a waiter, and also its operation if no other waiter is left.
    ///
    /// - Returns: The operation if its last waiter has left; otherwise `nil`. The caller must end this operation.
    @inlinable public mutating func leave(_ waiter: WaiterID) -> CallID? {
        guard let id = callOfWaiter.removeValue(forKey: waiter), calls[id]?.leave(waiter) == true,
            let call = calls.removeValue(forKey: id)
        else { return nil }
        close(id, call.key)
        return id
    }

    /// Removes a finished operation. Returns the waiters for its result, in the order of their ids.
    @inlinable public mutating func finish(_ id: CallID) -> [WaiterID] {
        guard let call = calls.removeValue(forKey: id) else { return [] }
        close(id, call.key)
        let waiters = call.waiters
        for waiter in waiters { callOfWaiter[waiter] = nil }
        return waiters
    }

    /// Returns the latest deadline of an operation's waiters; `nil` if the operation is unknown.
    @inlinable public func deadline(of id: CallID) -> MonotonicInstant? {
        guard let call = calls[id] else { return nil }
        let latest = call.others.values.max()
        guard call.first != nil else { return latest }
        return max(call.firstDeadline, latest ?? call.firstDeadline)
    }

    @inlinable mutating func close(_ id: CallID, _ key: Key) {
        guard let place = current.index(forKey: key), current[place].value == id else { return }
        current.remove(at: place)
    }
}
