import LinuxIO

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
