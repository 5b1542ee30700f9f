import CCares
import LinuxIO

// c-ares calls these on the loop's thread, within a call of the channel's into c-ares. Each finds its object and tells
// it one thing; none of them traps, waits, or calls c-ares back.

/// ARES_OPT_SOCK_STATE_CB: c-ares wants to hear of a socket, or no more.
func watchChannelSocket(
    _ context: UnsafeMutableRawPointer?, _ socket: ares_socket_t, _ readable: Int32, _ writable: Int32
) {
    var events: DescriptorEvents = []
    if readable != 0 { events.insert(.readable) }
    if writable != 0 { events.insert(.writable) }
    unsafe channelEvents(context)?.watch(socket, for: events)
}

/// The callback of ares_getaddrinfo. The list is ours.
func receiveHost(
    _ context: UnsafeMutableRawPointer?, _ status: Int32, _ timeouts: Int32,
    _ list: UnsafeMutablePointer<ares_addrinfo>?
) {
    defer { if let list = unsafe list { unsafe ares_freeaddrinfo(list) } }
    // Nobody waits for the answer of a channel that is being destroyed.
    guard status != ARES_EDESTRUCTION, status != ARES_ECANCELLED else { return }
    let answer = unsafe HostAnswer(status: status, list: list?.pointee)
    unsafe channelEvents(context)?.answered(answer)
}

private func channelEvents(_ context: UnsafeMutableRawPointer?) -> ChannelEvents? {
    unsafe context.map { unsafe Unmanaged<ChannelEvents>.fromOpaque($0).takeUnretainedValue() }
}

/// What c-ares tells of one channel. Lives on the loop's thread.
final class ChannelEvents {
    private let loop: EventLoop
    /// Called when a socket of the channel is ready.
    var ready: (Int32, DescriptorEvents) -> Void = { _, _ in }
    /// Once it is there.
    private(set) var answer: HostAnswer?

    init(loop: EventLoop) { self.loop = loop }

    func answered(_ answer: HostAnswer) { self.answer = self.answer ?? answer }

    /// - Parameter events: empty when the socket is about to be closed.
    func watch(_ socket: Int32, for events: DescriptorEvents) {
        guard !events.isEmpty else { return loop.unwatch(socket) }
        loop.watch(socket, for: events) { [ready] events in ready(socket, events) }
    }
}
