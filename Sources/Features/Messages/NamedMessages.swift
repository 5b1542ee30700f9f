package import Base
package import Logging
package import NotificationModel
package import RequestCoordinator
import ServiceLifecycle

/// The named messages: payloads that are stored under a name, and prepared for profiles before an app asks for them.
///
/// **Input.** Payloads and envelopes, as in single requests. The store keeps each until its message ends.
///
/// **Output.** The content of a message for each profile. A request with an id of its own prepares it, so that journal,
/// budget, coalescing and recovery are those of any request. The message keeps a copy of the result, and holds its
/// files. An event reports the end of each preparation.
///
/// **Refused.** An envelope that cannot be used, a wrong end, and more messages than the quota allows.
///
/// **Threads.** Preparations run on the cooperative pool, those of large payloads on the `LargePayloadExecutor`.
///
/// **Cancellation.** At the graceful shutdown the requests of running preparations end within their budgets. The next
/// daemon continues the other preparations, which it finds in the store.
///
/// To add a new property of messages, do this: write it in `NamedMessage`, add its column by a migration of
/// `MessageTable` with the next number, and write and read the column in `MessageRows`. Responses show the property
/// when `json` and `schema` in `NamedMessage+JSON.swift` have it. `docs/schema/openapi.json` follows with
/// `REWRITE_GOLDENS=1`.
package final class NamedMessages: Service {
    package struct Settings: Sendable {
        /// The longest life of a message, which is also the default.
        package var retention: Duration
        /// The number of bytes of all messages above which no message is stored.
        package var quota: Int
        /// The maximum number of messages that are prepared at a time.
        package var maxAtWork = 16
        /// The maximum number of messages that wait for their preparation in memory. The others wait in the store.
        package var maxWaiting = 20_000
        /// The time after which a preparation that found no room is tried again.
        package var pause: Duration = .seconds(1)
    }

    /// A preparation that waits or runs, until all profiles of its version have their states.
    struct Preparation {
        let version: Int
        /// The requests that prepare the message.
        let requests: [RequestKey]
        let ended = AsyncEvent()

        init(_ message: NamedMessage) {
            version = message.version
            requests = message.preparations.filter(\.state.isPreparing).compactMap {
                message.requestKey(for: $0.profile)
            }
        }
    }

    let settings: Settings
    let coordinator: RequestCoordinator
    let reader: any EnvelopeReading
    let store: any MessageStoring
    let files: any FileHolding
    let large: LargePayloadExecutor
    let clock: any RequestClock
    let logger: Logger
    /// An event that is signalled when the daemon ends.
    let closing = AsyncEvent()
    private let permits: AsyncSemaphore
    /// The permit of the one large message that is prepared at a time.
    let largePermit = AsyncSemaphore(permits: 1)
    let preparations = Guarded<[MessageKey: Preparation]>([:])
    private let queue: (stream: AsyncStream<MessageKey>, continuation: AsyncStream<MessageKey>.Continuation)

    package init(
        _ settings: Settings, coordinator: RequestCoordinator, reader: any EnvelopeReading, store: any MessageStoring,
        files: any FileHolding, large: LargePayloadExecutor = LargePayloadExecutor(), clock: any RequestClock,
        logger: Logger
    ) {
        self.settings = settings
        self.coordinator = coordinator
        self.reader = reader
        self.store = store
        self.files = files
        self.large = large
        self.clock = clock
        self.logger = logger
        permits = AsyncSemaphore(permits: settings.maxAtWork)
        queue = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(settings.maxWaiting))
    }

    // MARK: The queue of preparations

    /// Continues the preparations that the store knows, and that this object does not know. An earlier daemon has begun
    /// them, or a failed sync has hidden that they are durable.
    package func recover() async {
        for message in await store.unprepared(at: clock.date) ?? [] { enqueue(message) }
    }

    /// Prepares messages until the graceful shutdown, and then until the last running preparation has ended.
    package func run() async throws {
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { await self.recoverEachMinute() }
                for await key in queue.stream {
                    guard await permits.acquire() else { break }
                    // Messages take threads that requests need too, so they get idle time.
                    group.addTask(priority: .utility) { [self] in
                        await execute(key)
                        permits.release()
                    }
                }
            }
        } onGracefulShutdown: {
            self.close()
        }
    }

    /// Begins no further preparation.
    func close() {
        closing.signal()
        queue.continuation.finish()
    }

    private func recoverEachMinute() async {
        while !closing.isSignalled, !Task.isCancelled {
            await closing.wait(until: clock.now.advanced(by: .seconds(60)), on: clock)
            if !closing.isSignalled { await recover() }
        }
    }

    func enqueue(_ message: NamedMessage) {
        guard message.isPreparing else { return }
        let (isNew, earlier) = preparations.withLock { preparations in
            let earlier = preparations[message.key]
            guard (earlier?.version ?? 0) < message.version else { return (false, AsyncEvent?.none) }
            preparations[message.key] = Preparation(message)
            return (true, earlier?.ended)
        }
        guard isNew else { return }
        earlier?.signal()
        guard case .dropped = queue.continuation.yield(message.key) else { return }
        // The message waits in the store until the queue has room.
        end(message.key, version: message.version)
    }

    /// Whether a version is still the last one of its name, as far as this object knows.
    func isCurrent(_ message: NamedMessage) -> Bool {
        preparations.withLock { $0[message.key]?.version == message.version }
    }

    func end(_ key: MessageKey, version: Int) {
        let ended = preparations.withLock { preparations -> AsyncEvent? in
            guard let preparation = preparations[key], preparation.version == version else { return nil }
            preparations[key] = nil
            return preparation.ended
        }
        ended?.signal()
    }

    /// Prepares the last version of a message for all of its profiles.
    private func execute(_ key: MessageKey) async {
        guard let version = preparations.withLock({ $0[key]?.version }) else { return }
        defer { end(key, version: version) }
        guard !closing.isSignalled, case .stored(let message, _) = await store.find(key, at: clock.date),
            message.version == version
        else { return }
        await prepare(message)
    }
}
