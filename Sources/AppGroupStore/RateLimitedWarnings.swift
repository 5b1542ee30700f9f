import NotificationModel

/// A filter that passes on at most one warning a minute for each kind of problem. The same problem may occur with every
/// file, result or response.
struct RateLimitedWarnings {
    static let pause: Duration = .seconds(60)
    /// The maximum number of kinds that are remembered. A warning of a further kind is dropped until a minute of
    /// another kind has ended.
    static let mostKinds = 1_024

    private let complain: @Sendable (String) -> Void
    private var told: [String: MonotonicInstant] = [:]

    /// - Parameter complain: Receives a sentence about the problem.
    init(_ complain: @escaping @Sendable (String) -> Void) { self.complain = complain }

    /// Reports a problem, unless its kind was reported less than a minute ago.
    ///
    /// - Parameter kind: The kind of the problem. Each kind has a minute of its own.
    /// - Parameter problem: The sentence, which is evaluated only if it is passed on.
    mutating func report(_ kind: String, _ problem: @autoclosure () -> String, at now: MonotonicInstant = .now) {
        if let last = told[kind], last.duration(to: now) < Self.pause { return }
        if told.count >= Self.mostKinds {
            told = told.filter { $0.value.duration(to: now) < Self.pause }
            guard told.count < Self.mostKinds else { return }
        }
        told[kind] = now
        complain(problem())
    }
}
