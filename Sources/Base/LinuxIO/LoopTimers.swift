package import Base
import CLinuxShims
package import FoundationEssentials
import HeapModule

/// The timers of an event loop: the handlers, and the instants at which they are called. This type is pure and has no
/// clock.
///
/// A cancelled timer releases its handler at once. Its entry stays in the heap until it comes to the top, or until most
/// entries are cancelled.
package struct LoopTimers {
    /// A handler in a struct. Optionals and collections would wrap a bare closure in another one at each store or read.
    struct Handler {
        let call: () -> Void
    }

    package struct ID: Sendable, Hashable {
        fileprivate let place: Int
        /// A number that no other timer has.
        fileprivate let number: UInt64
    }

    private struct Timer: Comparable {
        let instant: MonotonicInstant
        let id: ID
        static func < (left: Timer, right: Timer) -> Bool {
            (left.instant, left.id.number) < (right.instant, right.id.number)
        }
    }

    /// The storage of one timer's handler, at the index of the timer. The number shows whether it is still the timer's.
    private struct Slot {
        var number: UInt64
        var handler: Handler?
    }

    private var heap = Heap<Timer>()
    private var slots: [Slot] = []
    private var freeSlots: [Int] = []
    private var lastNumber: UInt64 = 0

    /// The instant of the next timer; `nil` if the heap is empty. The timer may already be cancelled.
    var next: MonotonicInstant? { heap.min?.instant }

    mutating func schedule(at instant: MonotonicInstant, _ handler: @escaping () -> Void) -> ID {
        lastNumber += 1
        let slot = Slot(number: lastNumber, handler: Handler(call: handler))
        let place = freeSlots.popLast() ?? slots.count
        if place == slots.count { slots.append(slot) } else { slots[place] = slot }
        let id = ID(place: place, number: slot.number)
        heap.insert(Timer(instant: instant, id: id))
        return id
    }

    /// Cancels a timer, and returns its handler, which the caller releases; `nil` if it was called or cancelled.
    mutating func cancel(_ id: ID) -> Handler? {
        guard let handler = take(id) else { return nil }
        if heap.count > 64 + 2 * (slots.count - freeSlots.count) {
            heap = Heap(heap.unordered.filter { slots[$0.id.place].number == $0.id.number })
        }
        return handler
    }

    /// Removes the next timer that is due, and returns the handler of the timer; `nil` if no timer is due.
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

/// The clocks of the machine, with a thread of its own that resumes sleeping tasks (`agd-time`).
///
/// A cancelled sleep releases all its memory. `Task.sleep` keeps the alarm of a cancelled sleep until the time of the
/// alarm. In a server, most requests end long before their budget. The alarms of half a minute would stay in memory
/// (measured: 3 kB a request).
package final class EventLoopClock: RequestClock {
    private let system = SystemClock()
    private let loop: EventLoop

    package init() throws(SystemError) { loop = try EventLoop.start(name: "agd-time") }

    /// Creates a clock on a loop that the caller owns and ends.
    package init(on loop: EventLoop) { self.loop = loop }

    /// Ends the thread. The owner calls this function once, when no task sleeps.
    package func shutdown() { loop.shutdown() }

    package var now: MonotonicInstant { system.now }
    package var date: Date { system.date }

    package func alarm(at instant: MonotonicInstant, _ action: @escaping @Sendable () -> Void) -> ClockAlarm {
        let timer = Guarded<EventLoop.TimerID?>(nil)
        loop.execute(before: instant) { [loop] in
            let id = loop.schedule(at: instant, action)
            timer.withLock { $0 = id }
        }
        return ClockAlarm { [loop] in
            loop.execute(before: instant) { if let id = timer.withLock(\.self) { loop.cancel(id) } }
        }
    }

    package func sleep(until instant: MonotonicInstant) async {
        let waiter = Waiter<Bool>()
        let alarm = alarm(at: instant) { waiter.resume(returning: true) }
        if await !waiter.value(onCancel: { $0.resume(returning: false) }) { alarm.cancel() }
    }
}

/// The machine's monotonic clock (clock_gettime(2), `CLOCK_MONOTONIC`), which is never set. All processes share it.
package enum MonotonicClock {
    package static var microseconds: UInt64 { agd_monotonic_microseconds() }
}
