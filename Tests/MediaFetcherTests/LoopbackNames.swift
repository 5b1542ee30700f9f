import NameResolution
import NotificationModel

/// Answers for names, all of them on loopback, each for no time: every fetch asks again.
final class LoopbackNames: NameResolving {
    private struct State {
        var answers: [String: [[LoopbackAddress]]]
        var asked: [String] = []
    }

    private let state: Guarded<State>

    /// - Parameter answers: by name, one after the other; the last one stays.
    init(_ answers: [String: [[LoopbackAddress]]]) { state = Guarded(State(answers: answers)) }

    /// The names that were asked for, in their order.
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
