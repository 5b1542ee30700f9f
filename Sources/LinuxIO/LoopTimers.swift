import HeapModule
import NotificationModel

/// What an event loop is to call at which time: pure.
///
/// A timer that is cancelled leaves its place at once, and the heap when it comes to its top, or when such are the most of
/// it.
package struct LoopTimers {
    /// In a struct: an optional or a collection wraps a bare closure in another one each time it goes in or out.
    struct Handler {
        let call: () -> Void
    }

    package struct ID: Sendable, Hashable {
        fileprivate let place: Int
        /// No two have the same.
        fileprivate let number: UInt64
    }

    private struct Timer: Comparable {
        let instant: MonotonicInstant
        let id: ID
        static func < (left: Timer, right: Timer) -> Bool {
            (left.instant, left.id.number) < (right.instant, right.id.number)
        }
    }

    /// Where a timer's handler is kept: found by its place, and known by its number.
    private struct Slot {
        var number: UInt64
        var handler: Handler?
    }

    private var heap = Heap<Timer>()
    private var slots: [Slot] = []
    private var freeSlots: [Int] = []
    private var lastNumber: UInt64 = 0

    /// When the next handler is due, or nothing that was cancelled since.
    var next: MonotonicInstant? { heap.min?.instant }

    mutating func schedule(at instant: MonotonicInstant, _ handler: @escaping () -> Void) -> ID {
        lastNumber += 1
        let slot = Slot(number: lastNumber, handler: Handler(call: handler))
        let place: Int
        if let free = freeSlots.popLast() {
            place = free
            slots[place] = slot
        } else {
            place = slots.count
            slots.append(slot)
        }
        let id = ID(place: place, number: slot.number)
        heap.insert(Timer(instant: instant, id: id))
        return id
    }

    /// - Returns: what is not called any more, for the caller to let go of; `nil` where it was called or cancelled.
    mutating func cancel(_ id: ID) -> Handler? {
        guard let handler = take(id) else { return nil }
        if heap.count > 64 + 2 * (slots.count - freeSlots.count) {
            heap = Heap(heap.unordered.filter { slots[$0.id.place].number == $0.id.number })
        }
        return handler
    }

    /// - Returns: the next handler that is due; `nil` where none is.
    mutating func takeDue(at now: MonotonicInstant) -> Handler? {
        while let timer = heap.min, timer.instant <= now {
            heap.removeMin()
            if let handler = take(timer.id) { return handler }
        }
        return nil
    }

    private mutating func take(_ id: ID) -> Handler? {
        guard slots[id.place].number == id.number else { return nil }
        let handler = slots[id.place].handler
        slots[id.place] = Slot(number: 0, handler: nil)
        freeSlots.append(id.place)
        return handler
    }
}
