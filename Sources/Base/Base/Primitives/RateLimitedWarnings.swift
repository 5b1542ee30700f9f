/// A filter that passes on at most one warning a minute for each kind of problem, which may occur with every file.
package struct RateLimitedWarnings {
    package static let pause: Duration = .seconds(60)
    /// The maximum number of kinds that are remembered. Further kinds are dropped until another minute ends.
    package static let maxKinds = 1_024

    private let warn: @Sendable (String) -> Void
    private var lastReport: [String: MonotonicInstant] = [:]

    /// - Parameter warn: A function that receives a sentence about the problem.
    package init(_ warn: @escaping @Sendable (String) -> Void) { self.warn = warn }

    /// Reports a problem, unless a problem of the same kind was reported less than a minute ago. The sentence is
    /// evaluated only if it is passed on.
    package mutating func report(_ kind: String, _ problem: @autoclosure () -> String, at now: MonotonicInstant = .now)
    {
        if let last = lastReport[kind], last.duration(to: now) < Self.pause { return }
        if lastReport.count >= Self.maxKinds {
            lastReport = lastReport.filter { $0.value.duration(to: now) < Self.pause }
            guard lastReport.count < Self.maxKinds else { return }
        }
        lastReport[kind] = now
        warn(problem())
    }
}
