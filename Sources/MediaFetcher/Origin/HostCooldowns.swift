import Base
import DequeModule
import LinuxIO
import NotificationModel

/// The list of the hosts whose circuit breaker is open, and of the requests that wait for these hosts. The list runs
/// `CircuitBreaker` with a clock, on the network's thread.
///
/// A waiting request has no permit and no transfer. After the pause of a host, one waiting request continues, and its
/// transfer tests the host. If the test succeeds, all requests continue. If the test fails, the next pause is longer. A
/// request whose deadline is before the end of the pause is refused.
final class HostCooldowns {
    static let maxWaiting = 1_024
    /// The maximum number of waiting requests of all hosts. `requests.queued` allows four times as many.
    static let maxWaitingInAll = 4_096
    /// The time after which another request continues, if no transfer tests the host before.
    private static let patience: Duration = .milliseconds(250)
    private static let maxLaboratories = 64

    private struct Caller {
        let id: UInt64
        let deadline: MonotonicInstant
        let answer: Waiter<Bool>
    }

    private struct Line {
        /// The waiting requests, the oldest first.
        var callers = Deque<Caller>()
        var alarm: EventLoop.TimerID?
    }

    private let loop: EventLoop
    private let now: @Sendable () -> MonotonicInstant
    private let observer: @Sendable (FetchEvent) -> Void
    private var breaker = CircuitBreaker()
    private var lines: [String: Line] = [:]
    private var waiting = 0
    /// The origins of `appgroupd lab serve`. These origins fail on purpose, and their circuit breakers never open.
    private var laboratories: Set<String> = []
    let table: CooldownTable
    /// Whether the circuit breaker is on.
    private(set) var isOn: Bool

    init(
        loop: EventLoop, isOn: Bool, table: CooldownTable, now: @escaping @Sendable () -> MonotonicInstant,
        observer: @escaping @Sendable (FetchEvent) -> Void
    ) {
        self.loop = loop
        self.table = table
        self.isOn = isOn
        self.now = now
        self.observer = observer
    }

    /// Turns the circuit breaker on or off. When it is turned off, all waiting requests continue.
    func change(isOn: Bool) {
        self.isOn = isOn
        guard !isOn else { return }
        breaker = CircuitBreaker()
        table.removeAll()
        for host in Array(lines.keys) { answerAll(of: host) }
    }

    // MARK: The transfers to a host

    /// Requests a transfer to a host.
    func permission(for host: String) -> CircuitBreaker.Permission {
        isOn ? breaker.permission(for: host, at: now()) : .closed
    }

    /// Returns the remaining pause of a host; `nil` if its circuit breaker is not open.
    func cooldown(of host: String) -> Duration? {
        guard isOn, case .open(let cooldown) = breaker.state(of: host, at: now()) else { return nil }
        return cooldown
    }

    /// Returns whether a transfer tests a host now. The test ends when the headers of its response arrive.
    func isTested(_ host: String) -> Bool { breaker.isTested(host) }

    func succeeded(_ host: String) { take(breaker.succeeded(host), of: host) }

    /// Records that a media item of a host could not be fetched. `item` is the hash of its URL.
    func failed(_ host: String, item: Int) {
        guard isOn, !laboratories.contains(host) else { return }
        take(breaker.failed(host, item: item, at: now(), jitter: .random(in: 0...1)), of: host)
    }

    func probeFailed(_ host: String) {
        guard isOn else { return }
        take(breaker.probeFailed(host, at: now(), jitter: .random(in: 0...1)), of: host)
        refuseLate(at: host)
    }

    /// Records that the host is an origin of `appgroupd lab serve` here. Its circuit breaker never opens from now on.
    func noteLaboratory(_ host: String) {
        guard laboratories.count < Self.maxLaboratories, laboratories.insert(host).inserted else { return }
        succeeded(host)
    }

    /// Allows the next waiting request to test a host whose test was cancelled.
    func abandoned(_ host: String) {
        breaker.abandoned(host)
        tellNext(of: host)
    }

    private func take(_ change: CircuitBreaker.Change, of host: String) {
        switch change {
        case .none: break
        case .opens(let cooldown):
            if table.note(host, cooldown: cooldown, at: now()) { observer(.hostResting(host, cooldown)) }
        case .recovered:
            table.remove(host)
            observer(.hostRecovered(host))
            answerAll(of: host)
        }
    }

    // MARK: The requests that wait for a host

    /// Adds a request that waits until the circuit breaker of a host closes. The waiter receives `true` then, and
    /// `false` if the pause ends after the deadline, or if too many requests are waiting.
    func wait(_ id: UInt64, for host: String, until deadline: MonotonicInstant, _ waiter: Waiter<Bool>) {
        guard let cooldown = cooldown(of: host) else { return waiter.resume(returning: true) }
        let count = lines[host]?.callers.count ?? 0
        guard .now + cooldown < deadline, count < Self.maxWaiting, waiting < Self.maxWaitingInAll else {
            return waiter.resume(returning: false)
        }
        lines[host, default: Line()].callers.append(Caller(id: id, deadline: deadline, answer: waiter))
        waiting += 1
        if lines[host]?.alarm == nil { setAlarm(of: host, in: max(cooldown, Self.patience)) }
    }

    /// Removes a cancelled request. The function does nothing if the request no longer waits.
    func leave(_ id: UInt64, _ host: String) {
        guard let place = lines[host]?.callers.firstIndex(where: { $0.id == id }),
            let caller = lines[host]?.callers.remove(at: place)
        else { return }
        answer(caller, false)
        if lines[host]?.callers.isEmpty == true { close(host) }
    }

    private func setAlarm(of host: String, in time: Duration) {
        lines[host]?.alarm = loop.schedule(at: .now + time) { [unowned self] in
            lines[host]?.alarm = nil
            tellNext(of: host)
        }
    }

    /// Lets the oldest waiting request continue if a transfer may test the host.
    private func tellNext(of host: String) {
        guard lines[host] != nil else { return }
        var cooldown = Duration.zero
        switch breaker.state(of: host, at: now()) {
        case .closed: return answerAll(of: host)
        case .halfOpen: if let caller = lines[host]?.callers.popFirst() { answer(caller, true) }
        case .open(let left): cooldown = left
        }
        guard lines[host]?.callers.isEmpty == false else { return close(host) }
        if let alarm = lines[host]?.alarm { loop.cancel(alarm) }
        setAlarm(of: host, in: max(cooldown, Self.patience))
    }

    /// Refuses the requests whose deadline is before the end of the pause.
    private func refuseLate(at host: String) {
        guard let cooldown = cooldown(of: host), var line = lines.removeValue(forKey: host) else { return }
        let end = MonotonicInstant.now + cooldown
        let late = line.callers.filter { $0.deadline <= end }
        line.callers.removeAll { $0.deadline <= end }
        lines[host] = line
        for caller in late { answer(caller, false) }
        if line.callers.isEmpty { close(host) }
    }

    private func answerAll(of host: String) {
        guard let line = lines[host] else { return }
        close(host)
        for caller in line.callers { answer(caller, true) }
    }

    private func answer(_ caller: Caller, _ mayGoOn: Bool) {
        waiting -= 1
        caller.answer.resume(returning: mayGoOn)
    }

    private func close(_ host: String) {
        if let alarm = lines.removeValue(forKey: host)?.alarm { loop.cancel(alarm) }
    }
}
