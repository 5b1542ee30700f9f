import Base
import NotificationModel

/// The batches whose bodies are arriving, so that an erasure finds those that are stored while it runs.
///
/// A body gets the steps of the erasures that run while it arrives, and is erased before it gets its name. An erasure
/// waits for a body that is getting its name, which takes a few writes.
final class BatchArrivals: Sendable {
    private struct Arrival {
        var steps: [ErasureStep] = []
        /// The event that is signalled when the batch has its name, or is removed; `nil` while the body arrives.
        var published: AsyncEvent?
    }

    /// The maximum number of steps for one body. A body that gets more is refused.
    private static let maxSteps = 1_024

    private let state = Guarded<(last: UInt64, arrivals: [UInt64: Arrival])>((0, [:]))

    func begin() -> UInt64 {
        state.withLock { state in
            state.last += 1
            state.arrivals[state.last] = Arrival()
            return state.last
        }
    }

    func end(_ number: UInt64) {
        state.withLock { $0.arrivals.removeValue(forKey: number) }?.published?.signal()
    }

    /// Takes the steps for a body. If there are none, erasures wait for it from now on.
    ///
    /// - Returns: `nil` if the body must be refused.
    func takeSteps(_ number: UInt64) -> [ErasureStep]? {
        state.withLock { state in
            guard let steps = state.arrivals[number]?.steps, steps.count < Self.maxSteps else { return nil }
            state.arrivals[number]?.steps = []
            if steps.isEmpty { state.arrivals[number]?.published = AsyncEvent() }
            return steps
        }
    }

    /// Gives a step to all bodies that arrive, and waits for those that are getting their names.
    func note(_ step: ErasureStep) async {
        let published = state.withLock { state in
            for (number, arrival) in state.arrivals where arrival.published == nil {
                let isKnown = arrival.steps.contains {
                    $0.target == step.target && $0.recipientNames == step.recipientNames
                        && $0.includesMentions == step.includesMentions
                }
                guard !isKnown, arrival.steps.count < Self.maxSteps else { continue }
                state.arrivals[number]?.steps.append(step)
            }
            return state.arrivals.values.compactMap(\.published)
        }
        for event in published { await event.wait() }
    }
}
