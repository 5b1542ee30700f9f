import Base
import LinuxIO
import NotificationModel

/// A running query for a name, on the thread of the loop. It owns a channel, which it destroys at its end.
final class HostQuery {
    private let loop: EventLoop
    private let finished: (HostAnswer) -> Void
    /// The channel; `nil` after the query has ended.
    private var channel: CaresChannel?
    private let events: ChannelEvents
    private var timer: EventLoop.TimerID?

    /// Creates a query with its own channel. `finished` is called at most once, with the answer, and not after `end()`.
    /// The owner must then call `end()`.
    init(
        _ settings: ResolverSettings, asksServers: Bool, on loop: EventLoop,
        finished: @escaping (HostAnswer) -> Void
    ) throws(CaresError) {
        self.loop = loop
        self.finished = finished
        events = ChannelEvents(loop: loop)
        channel = try CaresChannel(settings, asksServers: asksServers, events: events)
        events.ready = { [weak self] socket, ready in self?.process(socket, ready) }
    }

    /// Checks whether queries can use the settings. Throws `internal` if an address is malformed or c-ares refuses the
    /// settings.
    static func check(_ settings: ResolverSettings, on loop: EventLoop) throws(MediaFailure) {
        for server in settings.nameservers where NameServerAddress(server) == nil {
            throw MediaFailure(
                .internal, "not an address of a name server, such as 192.0.2.1 or [2001:db8::1]:53: \(server)")
        }
        do throws(CaresError) {
            _ = try CaresChannel(settings, events: ChannelEvents(loop: loop))
        } catch {
            throw MediaFailure(.internal, "the name servers cannot be asked: \(error)")
        }
    }

    func ask(_ name: HostName) {
        channel?.ask(name)
        goOn()
    }

    /// Destroys the channel, and so closes its sockets. After the call of `end`, `finished` is not called.
    func end() {
        if let timer { loop.cancel(timer) }
        timer = nil
        // The property becomes `nil` before the channel is destroyed, because c-ares calls back during its destruction.
        _ = channel.take()
    }

    private func process(_ socket: Int32, _ ready: DescriptorEvents) {
        channel?.process(socket, ready)
        goOn()
    }

    private func processTimeouts() {
        timer = nil
        channel?.processTimeouts()
        goOn()
    }

    /// Reports the answer if there is one, or schedules the next timeout. It must follow each call into c-ares.
    private func goOn() {
        if let timer { loop.cancel(timer) }
        timer = nil
        if let answer = events.answer { return finished(answer) }
        guard let timeout = channel?.timeout else { return }
        timer = loop.schedule(at: .now.advanced(by: timeout)) { [weak self] in self?.processTimeouts() }
    }
}
