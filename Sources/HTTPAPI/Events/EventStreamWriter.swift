import HTTPTypes
import HummingbirdCore
import NIOCore
import NotificationModel

/// Writes server-sent events, until the feed ends, the client leaves or the server drains.
struct EventStreamWriter: Sendable {
    let clock: any RequestClock
    let heartbeat: Duration
    let draining: OneTimeEvent

    static let headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]

    /// Events that wait for a slow client. One that falls behind further is let go; it resumes by `Last-Event-ID`.
    private static let mostWaiting = 1_024

    private enum Beat: Sendable {
        case event(RequestEvent)
        case heartbeat
    }

    @concurrent func write(
        _ feed: EventFeed, to writer: consuming some ResponseBodyWriter, unless gone: OneTimeEvent
    ) async throws {
        for text in feed.beginning { try await writer.write(ByteBuffer(string: text)) }
        if let events = feed.events {
            // Each task that follows only puts beats into the stream, or ends it; one writes.
            let (beats, beat) = AsyncStream.makeStream(
                of: Beat.self, bufferingPolicy: .bufferingOldest(Self.mostWaiting))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await event in events where feed.tells(event) {
                        if case .dropped = beat.yield(.event(event)) { break }
                    }
                    beat.finish()
                }
                group.addTask { await beatHeart(of: beat) }
                group.addTask {
                    await gone.wait()
                    beat.finish()
                }
                group.addTask {
                    await draining.wait()
                    beat.finish()
                }
                defer { group.cancelAll() }
                beating: for await beat in beats {
                    switch beat {
                    case .heartbeat: try await writer.write(ByteBuffer(string: EventText.heartbeat))
                    case .event(let event):
                        try await writer.write(ByteBuffer(string: EventText.text(of: event)))
                        if feed.ends(with: event) { break beating }
                    }
                }
            }
        }
        try await writer.finish(nil)
    }

    private func beatHeart(of beat: AsyncStream<Beat>.Continuation) async {
        while !Task.isCancelled {
            await clock.sleep(until: clock.now.advanced(by: heartbeat))
            if case .terminated = beat.yield(.heartbeat) { return }
        }
    }
}
