import Base

/// A count of the calls of one connection that were refused one after the other. The streams of an HTTP/2 connection share
/// it.
///
/// A client can send refused calls without a pause, and each of them takes time of the thread on which other callers
/// wait. After `most` refused calls in a row, the client needs a new connection.
final class RefusalCount: Sendable {
    static let most = 100

    private let count = Guarded(0)
    private let endConnection: @Sendable () -> Void

    /// - Parameter endConnection: A function that ends an HTTP/2 connection after its last permitted refusal. It does
    ///   nothing for HTTP/1.1, whose connection ends with its response.
    init(endConnection: @escaping @Sendable () -> Void = {}) { self.endConnection = endConnection }

    /// Whether the connection has had its last permitted refusal.
    var isExhausted: Bool { count.withLock { $0 >= Self.most } }

    /// Counts a response. A call that is not refused makes the count zero.
    ///
    /// - Returns: Whether the response is the last one of its connection.
    func add(isRefusal: Bool) -> Bool {
        count.withLock { count in
            // Streams that run beside the last refusal do not open the connection again.
            guard count < Self.most else { return true }
            count = isRefusal ? count + 1 : 0
            return count == Self.most
        }
    }

    func end() { endConnection() }
}
