import HTTPTypes
import HummingbirdCore
import NIOCore
import NotificationModel

/// Writes server-sent events, until the feed ends, the client leaves or the server drains.
///
/// A stream costs a write for each pause in which something happens, not for each event: what comes in one is written
/// together. The first event after a silence, and the one that ends a feed, wait for nothing.
struct EventStreamWriter: Sendable {
    let clock: any RequestClock
    let heartbeat: Duration
    let draining: AsyncEvent
    private let rendered = RenderedEvents()

    /// For what still waits when the daemon ends.
    private static let farewell: Duration = .seconds(1)

    static let headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]

    /// Events that wait for a slow client: all that it can resume after, and as many new ones. One that falls behind
    /// further is let go; it resumes by `Last-Event-ID`.
    static let mostWaiting = 2_048
    /// Bytes.
    static let longestWrite = 64 << 10
    /// Between two writes of a stream, unless there is a full one. So 64 streams are 1,280 writes a second at most.
    static let pause: Duration = .milliseconds(50)

    @concurrent func write(
        _ feed: EventFeed, to writer: consuming some ResponseBodyWriter, over connection: Connection
    ) async throws {
        defer { feed.place?.leave() }
        for text in feed.beginning { try await writer.write(ByteBuffer(string: text)) }
        if let events = feed.events {
            // Each task that follows only puts texts in, or ends it; one writes.
            let waiting = WaitingText(most: Self.mostWaiting, longest: Self.longestWrite)
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
                    // A client that takes nothing must not keep the daemon from ending.
                    if draining.isSignalled { _ = connection.close(after: Self.farewell) }
                }
                defer { group.cancelAll() }
                for await _ in waiting.wakes {
                    if let piece = waiting.take() { try await writer.write(piece) }
                }
                while let piece = waiting.take() { try await writer.write(piece) }
            }
        }
        // Before the client sees the end: it may come again at once.
        feed.place?.leave()
        try await writer.finish(nil)
    }

    /// Until the feed ends, or there is no room.
    private func listen(
        to events: AsyncStream<RequestEvent>, of feed: EventFeed, into waiting: WaitingText
    ) async {
        for await event in events where feed.tells(event) {
            guard waiting.put(rendered.text(of: event)), !feed.ends(with: event) else { break }
        }
        waiting.end()
        // Others have the desk's stream too, and what is still to be written may take its time. The desk learns that
        // nobody listens from a cancelled task that does.
        withUnsafeCurrentTask { $0?.cancel() }
        for await _ in events { break }
    }

    private func beatHeart(of waiting: WaitingText) async {
        let beat = ByteBuffer(string: EventText.heartbeat)
        while !Task.isCancelled {
            await clock.sleep(until: clock.now.advanced(by: heartbeat))
            guard waiting.put(beat, isUrgent: true) else { return }
        }
    }
}
