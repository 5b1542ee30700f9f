package import Base
package import LinuxIO
package import NotificationModel

/// The resolver of host names: an actor that runs c-ares on an event loop and shares the loop with its other users.
///
/// The input is a host name. The output is its IPv4 and IPv6 addresses, sorted as in RFC 6724, or the failure that the
/// name servers reported. The resolver reads /etc/hosts first. All names are absolute: no search domain is appended to
/// them.
///
/// Each name that is being resolved has its own c-ares channel, because c-ares 1.18 cannot cancel a single query of a
/// channel. The resolver destroys the channel when the last caller stops waiting, and the sockets of the channel are
/// closed at once. As a result, no query continues until its timeout if a server does not answer. Each query also has a
/// new source port, which an attacker would have to guess. A changed /etc/resolv.conf takes effect at the next query. A
/// channel costs 25 µs.
///
/// The resolver refuses a name that no host can have. It also refuses a new name while `ResolverSettings.questions`
/// names are being resolved. If the task of a caller is cancelled, `resolve` throws at once, and the query continues
/// while other callers wait for it. `shutdown()` cancels all queries. All code runs on the thread of the loop. Only
/// reads of /etc/hosts and /etc/resolv.conf can block that thread.
package actor NameResolver: NameResolving {
    private let loop: EventLoop
    private let now: @Sendable () -> MonotonicInstant
    private var settings: ResolverSettings
    private var table: QuestionTable
    private var queries: [QuestionID: HostQuery] = [:]
    private var askers: [AskerID: Waiter<Result<ResolvedHost, MediaFailure>>] = [:]
    private var lastAsker: AskerID = 0

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// Creates a resolver, and checks the settings. The loop must outlive the last query. `now` returns the time with
    /// which the ages of cached answers are measured. Throws `internal` if c-ares refuses the settings.
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
        let waiter = Waiter<Result<ResolvedHost, MediaFailure>>()
        askers[id] = waiter
        handle(.asked(id, name))
        let result = await waiter.value { [loop] _ in
            loop.execute { [weak self] in
                self?.assumeIsolated { $0.handle(.left(id)) }
            }
        }
        return try result.get()
    }

    package func rememberedFailure(of host: String) -> RememberedFailure? {
        HostName(host).flatMap { table.rememberedFailure(of: $0, at: now()) }
    }

    /// Uses other settings from now on, and removes all cached answers. Throws `internal` if c-ares refuses the
    /// settings; the resolver then continues with the old settings and answers.
    package func change(_ settings: ResolverSettings) throws(MediaFailure) {
        try HostQuery.check(settings, on: loop)
        self.settings = settings
        table.change(settings)
    }

    /// Cancels all current and later queries with `cancelled`. The caller must call it before the loop ends.
    package func shutdown() { handle(.closed) }

    /// The number of names that are being resolved.
    package var openQuestions: Int { table.count }

    /// The number of callers that wait for an answer.
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
