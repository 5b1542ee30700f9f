import Authentication
import Base

/// The permits for event streams, which limit their number. Each stream costs writes for its events, whether or not its
/// client reads them.
package final class StreamSlots: Sendable {
    /// The permit of one stream. The permit is released by `leave`, or when it is deallocated.
    package final class Slot: Sendable {
        private let slots: StreamSlots
        private let caller: String
        private let isTaken = Guarded(true)

        fileprivate init(in slots: StreamSlots, of caller: String) {
            self.slots = slots
            self.caller = caller
        }

        package func leave() {
            let wasTaken = isTaken.withLock { isTaken in
                defer { isTaken = false }
                return isTaken
            }
            guard wasTaken else { return }
            slots.taken.withLock { taken in
                let left = (taken[caller] ?? 1) - 1
                taken[caller] = left > 0 ? left : nil
            }
        }

        deinit { leave() }
    }

    let most: Int
    /// The maximum number of streams of one token or one local process, so that no caller takes the streams of all others.
    /// Processes that call over loopback TCP cannot be told apart. All of them together leave this number to others.
    let maxOfCaller: Int
    /// The number of streams of each caller.
    private let taken = Guarded<[String: Int]>([:])

    init(most: Int) {
        self.most = most
        maxOfCaller = max(1, most / 4)
    }

    /// The number of streams at the moment.
    var count: Int { taken.withLock { $0.values.reduce(0, +) } }

    /// Takes a permit for one stream.
    ///
    /// - Returns: `nil` if all permits, or those of the caller, are taken.
    func take(by caller: Caller) -> Slot? {
        let name = caller.share
        let limit = caller == .local ? max(1, most - maxOfCaller) : maxOfCaller
        let isFree = taken.withLock { taken in
            let own = taken[name] ?? 0
            guard taken.values.reduce(0, +) < most, own < limit else { return false }
            taken[name] = own + 1
            return true
        }
        return isFree ? Slot(in: self, of: name) : nil
    }
}
