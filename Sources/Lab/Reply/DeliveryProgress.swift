/// The decision about the next step of a delivery's body, or of a head that is sent in pieces. The owner performs the
/// steps and passes the elapsed time.
package struct DeliveryProgress {
    package enum Step: Equatable {
        /// Send up to `limit` bytes from `offset`, and report them with ``DeliveryProgress/sent(_:)``.
        case send(offset: Int, limit: Int)
        /// Ask again when this time has passed since the first piece was due.
        case wait(until: Duration)
        case end(Delivery.Ending)
    }

    /// The largest piece for one read of a file and one write to a socket. A small piece does not block the event loop.
    package static let largestPiece = 64 * 1024

    private let length: Int?
    private let pace: Pace?
    private let ending: Delivery.Ending
    private var offset = 0

    package init(_ delivery: Delivery) {
        length = delivery.length
        pace = delivery.pace
        ending = delivery.ending
    }

    /// Creates the progress of a head, which the body follows.
    init(_ head: FaultyHead, over duration: Duration?) {
        length = head.length
        pace = duration.flatMap { head.pace(over: $0) }
        ending = .complete(keepAlive: true)
    }

    /// Returns the next step, at a time that is counted from the instant at which the first piece was due.
    package func next(at elapsed: Duration) -> Step {
        let end = length ?? .max
        guard offset < end else { return .end(ending) }
        let due = min(end, pace?.offset(at: elapsed) ?? .max)
        guard offset < due else { return .wait(until: pace?.nextTick(after: elapsed) ?? elapsed) }
        return .send(offset: offset, limit: min(due - offset, Self.largestPiece))
    }

    package mutating func sent(_ count: Int) { offset += count }
}
