package import LinuxIO
package import NotificationModel

/// Resolves names with c-ares on an event loop, beside what else runs there.
///
/// What comes in: a host's name. What goes out: its addresses, IPv4 and IPv6, in the order of RFC 6724, or what the name
/// servers said. /etc/hosts is looked into first; names are absolute, and no search domain is put behind them.
///
/// Each name that is asked for has a c-ares channel of its own. c-ares 1.18 cannot cancel one question of a channel, but
/// a channel can be destroyed: when nobody waits for the name any more, its sockets are closed at once, and no question
/// is left behind for a silent server to time out. It also means a new source port for each question, which a forger
/// would have to guess, and that a changed /etc/resolv.conf is seen by the next question. A channel costs 25 µs.
///
/// Refused: names that no host can have, and more names at a time than `ResolverSettings.questions`. Cancelling the
/// calling task leaves at once; the question goes on while others wait for it. Everything runs on the loop's thread,
/// which only /etc/hosts and /etc/resolv.conf can block.
package actor NameResolver: NameResolving {
    private let loop: EventLoop
    private let now: @Sendable () -> MonotonicInstant
    private var settings: ResolverSettings
    private var table: QuestionTable
    private var queries: [QuestionID: HostQuery] = [:]
    private var askers: [AskerID: CheckedContinuation<Result<ResolvedHost, MediaFailure>, Never>] = [:]
    private var lastAsker: AskerID = 0

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// - Parameter loop: outlives the resolver's last question.
    /// - Parameter now: the time that answers are remembered by.
    /// - Throws: `internal`, for settings that c-ares refuses.
    package init(
        loop: EventLoop, settings: ResolverSettings,
        now: @escaping @Sendable () -> MonotonicInstant = { .now }
    ) throws(MediaFailure) {
        try HostQuery.check(settings, on: loop)
        self.loop = loop
        self.now = now
        self.settings = settings
        table = QuestionTable(settings)
    }

    package func resolve(_ host: String) async throws(MediaFailure) -> ResolvedHost {
        guard let name = HostName(host) else { throw .noHostName }
        guard !Task.isCancelled else { throw .cancelled }
        lastAsker += 1
        let id = lastAsker
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                askers[id] = continuation
                handle(.asked(id, name))
            }
        } onCancel: {
            // Runs after the lines above even when the task was cancelled before: both are turns of this loop.
            loop.execute { [weak self] in
                self?.assumeIsolated { $0.handle(.left(id)) }
            }
        }
        return try result.get()
    }

    package func rememberedFailure(of host: String) -> RememberedFailure? {
        HostName(host).flatMap { table.rememberedFailure(of: $0, at: now()) }
    }

    /// Asks with other settings from now on, and forgets what was answered so far.
    ///
    /// - Throws: `internal`, for settings that c-ares refuses; all is as it was then.
    package func change(_ settings: ResolverSettings) throws(MediaFailure) {
        try HostQuery.check(settings, on: loop)
        self.settings = settings
        table.change(settings)
    }

    /// The same, leaving all as it is where c-ares refuses the settings.
    package func changeIfUsable(_ settings: ResolverSettings) { try? change(settings) }

    /// Ends all questions; whoever waits is told `cancelled`, and whoever asks later. Before the loop ends.
    package func shutdown() { handle(.closed) }

    /// Names that are being asked for.
    package var openQuestions: Int { table.count }

    /// Callers that wait for an answer.
    var waitingCount: Int { askers.count }

    private func handle(_ event: QuestionTable.Event) {
        for action in table.handle(event, at: now()) {
            switch action {
            case .start(let id, let name): start(id, name)
            case .end(let id): queries.removeValue(forKey: id)?.end()
            case .tell(let asker, let result): askers.removeValue(forKey: asker)?.resume(returning: result)
            }
        }
    }

    private func start(_ id: QuestionID, _ name: HostName) {
        do throws(CaresError) {
            let query = try HostQuery(settings, asksServers: !name.isLoopback, on: loop) { [unowned self] answer in
                self.assumeIsolated { $0.handle(.answered(id, name.isLoopback ? answer.orLoopback : answer)) }
            }
            queries[id] = query
            query.ask(name)
        } catch {
            handle(.answered(id, .unknown("the name cannot be asked for: \(error)")))
        }
    }
}
