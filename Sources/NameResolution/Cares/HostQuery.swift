import LinuxIO
import NotificationModel

/// A name that is being asked for: a channel that lives as long as somebody waits. Lives on the loop's thread.
final class HostQuery {
    private let loop: EventLoop
    private let finished: (HostAnswer) -> Void
    /// `nil` after the end.
    private var channel: CaresChannel?
    private let events: ChannelEvents
    private var timer: EventLoop.TimerID?

    /// - Parameter finished: called once, unless the end is first; then it is time for the end.
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

    /// Throws for settings that cannot be asked with.
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

    /// Closes the sockets; nothing is told after it.
    func end() {
        if let timer { loop.cancel(timer) }
        timer = nil
        // Taken first: c-ares calls back while the channel goes.
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

    /// After every call into c-ares.
    private func goOn() {
        if let timer { loop.cancel(timer) }
        timer = nil
        if let answer = events.answer { return finished(answer) }
        guard let timeout = channel?.timeout else { return }
        timer = loop.schedule(at: .now.advanced(by: timeout)) { [weak self] in self?.processTimeouts() }
    }
}
