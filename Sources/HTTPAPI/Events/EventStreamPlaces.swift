import Primitives

/// The permits for event streams, which limit their number. Each stream costs writes for its events, whether or not its
/// client reads them.
final class EventStreamPlaces: Sendable {
    /// The permit of one stream. The permit is released by `leave`, or when it is deallocated.
    final class Place: Sendable {
        private let places: EventStreamPlaces
        private let isTaken = Guarded(true)

        fileprivate init(in places: EventStreamPlaces) { self.places = places }

        func leave() {
            let wasTaken = isTaken.withLock { isTaken in
                defer { isTaken = false }
                return isTaken
            }
            if wasTaken { places.taken.withLock { $0 -= 1 } }
        }

        deinit { leave() }
    }

    let most: Int
    private let taken = Guarded(0)

    init(most: Int) { self.most = most }

    /// Takes a permit for one stream.
    ///
    /// - Returns: `nil` if all permits are taken.
    func take() -> Place? {
        let isFree = taken.withLock { taken in
            guard taken < most else { return false }
            taken += 1
            return true
        }
        return isFree ? Place(in: self) : nil
    }
}
