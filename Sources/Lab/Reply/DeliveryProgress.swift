/// Decides the next step of a delivery's body, or of a head that comes in pieces. Its owner does the steps, and says
/// what time it is.
package struct DeliveryProgress {
    package enum Step: Equatable {
        /// Send up to `limit` bytes from `offset` on, and report with ``DeliveryProgress/sent(_:)``.
        case send(offset: Int, limit: Int)
        /// Ask again when so much time has passed since the first piece was due.
        case wait(until: Duration)
        case end(Delivery.Ending)
    }

    /// One read of a file, one write to a socket: small enough not to hold the event loop up.
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

    /// Of a head; after its end comes the body.
    init(_ head: FaultyHead, over duration: Duration?) {
        length = head.length
        pace = duration.flatMap { head.pace(over: $0) }
        ending = .complete(keepAlive: true)
    }

    /// - Parameter elapsed: since the first piece was due.
    package func next(at elapsed: Duration) -> Step {
        let end = length ?? .max
        guard offset < end else { return .end(ending) }
        let due = min(end, pace?.offset(at: elapsed) ?? .max)
        guard offset < due else { return .wait(until: pace?.nextTick(after: elapsed) ?? elapsed) }
        return .send(offset: offset, limit: min(due - offset, Self.largestPiece))
    }

    package mutating func sent(_ count: Int) { offset += count }
}
