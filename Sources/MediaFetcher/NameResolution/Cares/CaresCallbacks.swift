import CCares
import LinuxIO

// c-ares calls these functions on the thread of the loop, during a call of the channel into c-ares. Each function finds
// its `ChannelEvents` and passes one event to it. None of the functions traps, waits or calls c-ares.

/// Starts or stops watching a socket for c-ares (ARES_OPT_SOCK_STATE_CB).
func watchChannelSocket(
    _ context: UnsafeMutableRawPointer?, _ socket: ares_socket_t, _ readable: Int32, _ writable: Int32
) {
    var events: DescriptorEvents = []
    if readable != 0 { events.insert(.readable) }
    if writable != 0 { events.insert(.writable) }
    unsafe channelEvents(context)?.watch(socket, for: events)
}

/// Receives the result of ares_getaddrinfo. The callee owns the list and frees it.
func receiveHost(
    _ context: UnsafeMutableRawPointer?, _ status: Int32, _ timeouts: Int32,
    _ list: UnsafeMutablePointer<ares_addrinfo>?
) {
    defer { if let list = unsafe list { unsafe ares_freeaddrinfo(list) } }
    // A channel that is being destroyed has no waiting caller.
    guard status != ARES_EDESTRUCTION, status != ARES_ECANCELLED else { return }
    let answer = unsafe HostAnswer(status: status, list: list?.pointee)
    unsafe channelEvents(context)?.answered(answer)
}

private func channelEvents(_ context: UnsafeMutableRawPointer?) -> ChannelEvents? {
    unsafe context.map { unsafe Unmanaged<ChannelEvents>.fromOpaque($0).takeUnretainedValue() }
}

/// The receiver of the callbacks of one channel. The receiver is used only on the thread of the loop.
final class ChannelEvents {
    private let loop: EventLoop
    /// A handler for the readiness of a socket of the channel.
    var ready: (Int32, DescriptorEvents) -> Void = { _, _ in }
    /// The answer of c-ares; `nil` until c-ares has reported an answer.
    private(set) var answer: HostAnswer?

    init(loop: EventLoop) { self.loop = loop }

    func answered(_ answer: HostAnswer) { self.answer = self.answer ?? answer }

    /// Watches a socket for the events that c-ares waits for; empty if c-ares is about to close the socket.
    func watch(_ socket: Int32, for events: DescriptorEvents) {
        guard !events.isEmpty else { return loop.unwatch(socket) }
        loop.watch(socket, for: events) { [ready] events in ready(socket, events) }
    }
}
