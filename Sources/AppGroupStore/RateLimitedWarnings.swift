import NotificationModel

/// Passes on in words what goes wrong. What may be said of every file, result or response, again and again, is said
/// once a minute.
struct RateLimitedWarnings {
    static let pause: Duration = .seconds(60)
    /// Kinds that are known at a time. A further one is not passed on until a minute of another has ended.
    static let mostKinds = 1_024

    private let complain: @Sendable (String) -> Void
    private var told: [String: MonotonicInstant] = [:]

    /// - Parameter complain: told in a sentence.
    init(_ complain: @escaping @Sendable (String) -> Void) { self.complain = complain }

    /// - Parameters:
    ///   - kind: of problem; each has a minute of its own.
    ///   - problem: made when it is passed on.
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
