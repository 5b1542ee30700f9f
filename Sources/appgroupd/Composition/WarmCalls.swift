import JSON
import NotificationModel
import NotificationProcessor
import ServiceConfiguration
import Warming

/// Warms the items of `POST /v1/warm` in a running daemon.
struct WarmCalls: WarmAnswering {
    /// Items of one call at a time.
    private static let mostInFlight = 32

    let runtime: Runtime
    let clock: any RequestClock
    let configuration: ConfigurationInForce

    func answers(to body: [UInt8]) -> AsyncStream<JSONValue> {
        AsyncStream { continuation in
            // Threads that notifications need as well take its jobs when they have nothing else to do.
            let work = Task(priority: .utility) {
                await warm(body) { continuation.yield($0) }
                continuation.finish()
            }
            continuation.onTermination = { _ in work.cancel() }
        }
    }

    private func warm(_ body: [UInt8], tell: @escaping @Sendable (JSONValue) -> Void) async {
        let current = configuration.value
        let rules = runtime.rules.value
        let reader = WarmEntryReader(
            .call,
            defaults: .init(profiles: [MediaProfile.named(current.profile) ?? .ios], budget: current.budget),
            now: clock.date, date: { Timestamp.parse($0) },
            payloadURL: rules.firstLocation(RequestDefaults(current), clock))
        let warmer = PipelineWarmer(pipeline: runtime.pipeline, dialects: rules.dialects, clock: clock)
        let turns = HostTurns(perHost: max(1, current.fetch.connectionsPerHost / 4))
        var stream = JSONStream()
        stream.append(body)
        var count = 0
        await withTaskGroup(of: Void.self) { group in
            reading: while !Task.isCancelled {
                switch stream.next(isAtEnd: true) {
                case .needsMore: break reading
                case .problem(let error): tell(Self.refusal("not JSON: \(error)", line: error.line))
                case .value(let value):
                    let line = stream.valueLine
                    do throws(WarmProblem) {
                        guard let object = value.object else {
                            throw WarmProblem(place: "", text: "it is \(value.typeName), not an object")
                        }
                        let (item, budget) = try reader.entry(of: object, at: "line \(line)")
                        if count >= Self.mostInFlight { await group.next() }
                        count += 1
                        group.addTask {
                            await turns.inTurn(at: item.host) {
                                tell(WarmWire.json(of: await warmer.warm(item, budget: budget), line: line))
                            }
                        }
                    } catch {
                        tell(Self.refusal(error.text, line: line))
                    }
                }
            }
        }
    }

    private static func refusal(_ text: String, line: Int) -> JSONValue {
        let failure = MediaFailure(.invalidPayload, text)
        return WarmWire.json(of: WarmOutcome([.init(url: "", profile: "", failure: failure)]), line: line)
    }
}
