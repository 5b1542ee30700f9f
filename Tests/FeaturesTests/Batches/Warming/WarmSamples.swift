import Base
import FoundationEssentials
import NotificationModel
import TestSupport

@testable import Features

/// The sample items and outcomes for tests.
enum WarmSamples {
    static func item(_ url: String) -> WarmItem {
        WarmItem(.url(url), profiles: [.ios], appGroup: .default, place: "urls.txt:1", host: MediaHost.of(url))
    }

    static func items(_ count: Int, host: String = "a.example") -> [WarmItem] {
        (0..<count).map { item("http://\(host)/\($0).jpg") }
    }

    static func warm(_ item: WarmItem, bytes: Int = 1_000) -> WarmOutcome {
        var item = WarmOutcome.MediaItem(url: url(item), profile: "ios")
        item.cache = .miss
        item.sourceBytes = bytes
        item.renditionBytes = bytes / 2
        return WarmOutcome([item])
    }

    static func failed(_ item: WarmItem, _ reason: DegradationReason) -> WarmOutcome {
        WarmOutcome([
            WarmOutcome.MediaItem(
                url: url(item), profile: "ios", failure: MediaFailure(reason, "it is \(reason.rawValue)"))
        ])
    }

    /// Returns the outcome of a refusal.
    ///
    /// - Parameter pause: The pause that the origin requests; zero if the origin requests no pause.
    static func refused(_ item: WarmItem, pause: Duration = .zero) -> WarmOutcome {
        var outcome = failed(item, .httpStatus)
        outcome.media[0].retryAfter = pause
        return outcome
    }

    static func url(_ item: WarmItem) -> String {
        if case .url(let url) = item.request { url } else { "" }
    }
}

/// A fake warmer that returns the outcomes of a test's function, and counts the items.
final class FakeWarmer: MediaWarming {
    private let state = Guarded((order: [String](), running: 0, most: 0))
    private let outcome: @Sendable (WarmItem, Int) async -> WarmOutcome

    /// - Parameter outcome: A function that gets the item and the number of its earlier tries.
    init(_ outcome: @escaping @Sendable (WarmItem, Int) async -> WarmOutcome) { self.outcome = outcome }

    /// The URLs of all tries in their order.
    var order: [String] { state.withLock { $0.order } }
    /// The maximum number of items that ran at the same time.
    var most: Int { state.withLock { $0.most } }

    func warm(_ item: WarmItem, budget: Duration) async -> WarmOutcome {
        let url = WarmSamples.url(item)
        let earlier = state.withLock { state in
            defer { state.order.append(url) }
            state.running += 1
            state.most = max(state.most, state.running)
            return state.order.count { $0 == url }
        }
        defer { state.withLock { $0.running -= 1 } }
        return await outcome(item, earlier)
    }
}
