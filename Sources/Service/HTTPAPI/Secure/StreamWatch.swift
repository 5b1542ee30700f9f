import Base
import NIOCore
import NIOHTTP2

/// The watch over one HTTP/2 connection, which closes the connection when it has no stream for too long, whatever its
/// client sends or acknowledges. While the daemon ends, it closes the connection after its last stream.
final class StreamWatch: NIOHTTP2StreamDelegate, Sendable {
    private struct State {
        var openStreams = 0
        var isDraining = false
        var alarm: Scheduled<Void>?
    }

    /// The time in which a client can read the last response before its connection is closed.
    private static let farewell: Duration = .seconds(1)

    private let channel: any Channel
    private let idleLimit: Duration
    private let state = Guarded(State())

    init(_ channel: any Channel, idleLimit: Duration) {
        self.channel = channel
        self.idleLimit = idleLimit
        state.withLock { arm(&$0) }
    }

    func streamCreated(_ id: HTTP2StreamID, channel: any Channel) {
        state.withLock { state in
            state.openStreams += 1
            state.alarm?.cancel()
        }
    }

    func streamClosed(_ id: HTTP2StreamID, channel: any Channel) {
        state.withLock { state in
            state.openStreams -= 1
            if state.openStreams == 0 { arm(&state) }
        }
    }

    /// Tells the client to open no further streams (RFC 9113 §6.8), and closes the connection after its last stream.
    func drain() {
        let farewell = HTTP2Frame(
            streamID: .rootStream,
            payload: .goAway(lastStreamID: .maxID, errorCode: .noError, opaqueData: nil))
        channel.writeAndFlush(farewell, promise: nil)
        state.withLock { state in
            state.isDraining = true
            if state.openStreams == 0 { arm(&state) }
        }
    }

    /// Tells the client to open no further streams, and closes the connection after a second, with all its streams.
    func end() {
        drain()
        let channel = channel
        channel.eventLoop.scheduleTask(in: TimeAmount(Self.farewell)) { channel.close(promise: nil) }
    }

    private func arm(_ state: inout State) {
        state.alarm?.cancel()
        let channel = channel
        let limit = state.isDraining ? Self.farewell : idleLimit
        state.alarm = channel.eventLoop.scheduleTask(in: TimeAmount(limit)) { channel.close(promise: nil) }
    }
}

/// The open HTTP/2 streams of all connections, whose number is limited.
final class OpenStreams: Sendable {
    private let most: Int
    private let count = Guarded(0)

    init(most: Int) { self.most = most }

    /// Counts a stream until it is closed.
    ///
    /// - Returns: `false` if too many streams are open.
    func add(_ stream: any Channel) -> Bool {
        let isAdded = count.withLock { count in
            guard count < most else { return false }
            count += 1
            return true
        }
        if isAdded { stream.closeFuture.whenComplete { _ in self.count.withLock { $0 -= 1 } } }
        return isAdded
    }
}
