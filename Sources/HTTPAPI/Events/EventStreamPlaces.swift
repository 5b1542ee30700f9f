import NotificationModel

/// How many event streams there may be at a time. Each costs a write for what happens, whoever reads it.
final class EventStreamPlaces: Sendable {
    /// One stream's. Free again when the stream leaves it, or when nobody has it any more.
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

    /// - Returns: `nil` where none is free.
    func take() -> Place? {
        let isFree = taken.withLock { taken in
            guard taken < most else { return false }
            taken += 1
            return true
        }
        return isFree ? Place(in: self) : nil
    }
}
