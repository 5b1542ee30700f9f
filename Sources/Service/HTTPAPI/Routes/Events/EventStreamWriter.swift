import Authentication
import Base
import HTTPTypes
import HummingbirdCore
import NIOCore
import NotificationModel

/// A writer of server-sent events. The writer ends when the feed ends, the client disconnects, the token of the caller is
/// no longer valid, or the server drains.
///
/// The events of one pause are written together, so a stream costs one write for each pause instead of one for each
/// event. The first event after a pause without events, and the event that ends a feed, are written at once.
struct EventStreamWriter: Sendable {
    let clock: any RequestClock
    let heartbeat: Duration
    let draining: AsyncEvent
    let access: AccessControl
    private let rendered = RenderedEvents()

    /// The time for writing the waiting events when the daemon or the validity of the token ends.
    private static let farewell: Duration = .seconds(1)

    static let headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store", .buffering: "no"]

    /// The maximum number of events that wait for a slow client. This is the number of events after which the client
    /// can resume, plus the same number of new events. A slower client is disconnected, and resumes with
    /// `Last-Event-ID`.
    static let maxWaiting = 2_048
    /// The maximum size of one write, in bytes.
    static let maxWrite = 64 << 10
    /// The time between two writes of a stream, unless the waiting texts fill a whole write. Therefore, 64 streams make
    /// at most 1,280 writes a second.
    static let pause: Duration = .milliseconds(50)

    /// - Parameter authorization: The value of `Authorization` of the request; `nil` if it is missing.
    @concurrent func write(
        _ feed: EventFeed, authorization: String?, to writer: consuming some ResponseBodyWriter,
        over connection: Connection
    ) async throws {
        defer { feed.slot?.leave() }
        for text in feed.beginning { try await writer.write(ByteBuffer(string: text)) }
        if let events = feed.events {
            // The child tasks only add texts or end the stream. This task writes.
            let waiting = WaitingText(most: Self.maxWaiting, maxLength: Self.maxWrite)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await listen(to: events, of: feed, into: waiting) }
                group.addTask { await waiting.pace(by: clock, Self.pause) }
                group.addTask { await beatHeart(of: waiting) }
                group.addTask {
                    await connection.gone.wait()
                    waiting.end()
                }
                group.addTask {
                    await draining.wait()
                    waiting.end()
                    // A client that reads nothing must not keep the daemon from ending.
                    if draining.isSignalled { _ = connection.close(after: Self.farewell) }
                }
                if let caller = feed.caller, !caller.isLocal, let authorization {
                    group.addTask {
                        await access.waitForEnd(
                            of: caller, authorization: authorization, scope: .events, on: clock)
                        guard !Task.isCancelled else { return }
                        _ = waiting.put(ByteBuffer(string: EventText.credentialEnd))
                        waiting.end()
                        // The end of the writing cancels this task.
                        let alarm = connection.close(after: Self.farewell)
                        await connection.gone.wait()
                        alarm.cancel()
                    }
                }
                defer { group.cancelAll() }
                // Live events wait in the meantime.
                if var replay = feed.replay {
                    while !draining.isSignalled, !connection.gone.isSignalled,
                        let text = await text(of: replay.next(), of: feed)
                    {
                        try await writer.write(ByteBuffer(string: text))
                    }
                }
                for await _ in waiting.wakes {
                    if let piece = waiting.take() { try await writer.write(piece) }
                }
                while let piece = waiting.take() { try await writer.write(piece) }
            }
        }
        // The permit is released before the client sees the end, because the client may connect again at once.
        feed.slot?.leave()
        try await writer.finish(nil)
    }

    /// Adds the events of a feed to the waiting texts, until the feed ends or too many texts wait.
    private func listen(
        to events: AsyncStream<RequestEvent>, of feed: EventFeed, into waiting: WaitingText
    ) async {
        for await event in events where feed.tells(event) {
            guard waiting.put(rendered.text(of: event)), !feed.ends(with: event) else { break }
        }
        waiting.end()
        // Other references keep the coordinator's stream open, and the waiting texts may take time to write. Iterating
        // the stream in a cancelled task ends it, so the coordinator removes this listener.
        withUnsafeCurrentTask { $0?.cancel() }
        for await _ in events { break }
    }

    /// Returns the text of a step of the repeated emissions; `nil` at their end.
    private func text(of step: EventReplay.Step, of feed: EventFeed) -> String? {
        switch step {
        case .events(let events): events.filter(feed.tells).map { EventText.text(of: $0) }.joined()
        case .gap(let start): EventText.gap(from: start, to: clock.date, isRepeated: false)
        case .end: nil
        }
    }

    private func beatHeart(of waiting: WaitingText) async {
        let beat = ByteBuffer(string: EventText.heartbeat)
        while !Task.isCancelled {
            await clock.sleep(until: clock.now.advanced(by: heartbeat))
            guard waiting.put(beat, isUrgent: true) else { return }
        }
    }
}
