import Base
import NotificationModel

@testable import MediaFetcher

/// A resolver whose answers are all loopback addresses, with a TTL of 0, so that every fetch asks again.
final class LoopbackNames: NameResolving {
    private struct State {
        var answers: [String: [[LoopbackAddress]]]
        var asked: [String] = []
    }

    private let state: Guarded<State>

    /// Creates a resolver with fixed answers.
    ///
    /// - Parameter answers: the answers for each name, in order; the last answer is repeated.
    init(_ answers: [String: [[LoopbackAddress]]]) { state = Guarded(State(answers: answers)) }

    /// The names of all questions, in order.
    var asked: [String] { state.withLock { $0.asked } }

    func resolve(_ host: String) async throws(MediaFailure) -> ResolvedHost {
        let addresses: [LoopbackAddress]? = state.withLock { state in
            state.asked.append(host)
            guard let answers = state.answers[host], let next = answers.first else { return nil }
            if answers.count > 1 { state.answers[host] = Array(answers.dropFirst()) }
            return next
        }
        guard let addresses, !addresses.isEmpty else {
            throw MediaFailure(.dnsFailed, "the host \(host) does not exist")
        }
        return ResolvedHost(addresses: addresses.map(\.address), ttl: .zero, wasCached: false)
    }
}
