import CCares
import LinuxIO
import NotificationModel

/// A c-ares channel, owned: one question, its sockets and its timeouts.
@safe struct CaresChannel: ~Copyable {
    private let handle: OpaquePointer
    /// c-ares points at it until the channel is destroyed, which the sockets' last events are part of.
    private let events: ChannelEvents

    /// - Parameter asksServers: else /etc/hosts is all that is looked into.
    init(_ settings: ResolverSettings, asksServers: Bool = true, events: ChannelEvents) throws(CaresError) {
        unsafe handle = try unsafe Self.open(settings, asksServers: asksServers, events)
        self.events = events
    }

    deinit { unsafe ares_destroy(handle) }

    private static func open(
        _ settings: ResolverSettings, asksServers: Bool, _ events: ChannelEvents
    ) throws(CaresError) -> OpaquePointer {
        try CaresError.check(libraryStatus)
        var channel: OpaquePointer?
        // Files, then DNS (`man 3 ares_init_options`); c-ares copies it.
        var lookups = Array((asksServers ? "fb" : "f").utf8CString)
        let status = unsafe lookups.withUnsafeMutableBufferPointer { lookups in
            var options = unsafe ares_options()
            // Absolute names only, whatever resolv.conf, the host's own name and $HOSTALIASES say.
            unsafe options.flags = ARES_FLAG_NOSEARCH | ARES_FLAG_NOALIASES
            unsafe options.ndots = 0
            unsafe options.ndomains = 0
            unsafe options.lookups = lookups.baseAddress
            unsafe options.timeout = Int32(min(max(settings.queryTimeout.milliseconds, 1), 60_000))
            unsafe options.tries = Int32(min(max(settings.tries, 1), 10))
            unsafe options.sock_state_cb = watchChannelSocket
            unsafe options.sock_state_cb_data = Unmanaged.passUnretained(events).toOpaque()
            let mask =
                ARES_OPT_FLAGS | ARES_OPT_NDOTS | ARES_OPT_DOMAINS | ARES_OPT_LOOKUPS | ARES_OPT_TIMEOUTMS
                | ARES_OPT_TRIES | ARES_OPT_SOCK_STATE_CB
            return unsafe ares_init_options(&channel, &options, mask)
        }
        try CaresError.check(status)
        guard let channel = unsafe channel else { throw CaresError(status: ARES_ENOMEM) }
        if !settings.nameservers.isEmpty {
            let servers = settings.nameservers.compactMap { NameServerAddress($0)?.text }.joined(separator: ",")
            let status = unsafe ares_set_servers_ports_csv(channel, servers)
            guard status == ARES_SUCCESS else {
                unsafe ares_destroy(channel)
                throw CaresError(status: status)
            }
        }
        return unsafe channel
    }

    /// Once a process, before all else.
    private static let libraryStatus = ares_library_init(ARES_LIB_INIT_ALL)

    /// Asks for both kinds of addresses. The answer may have come when this returns.
    borrowing func ask(_ name: HostName) {
        var hints = ares_addrinfo_hints()
        hints.ai_family = AF_UNSPEC
        // c-ares would open a socket for each address to sort them: 100 ms for the 4,000 that fit into one answer.
        hints.ai_flags = ARES_AI_NOSORT
        let context = unsafe Unmanaged.passUnretained(events).toOpaque()
        unsafe ares_getaddrinfo(handle, name.description, nil, &hints, receiveHost, context)
    }

    /// Lets c-ares work on a socket that is ready.
    borrowing func process(_ socket: Int32, _ ready: DescriptorEvents) {
        // What is wrong with a socket is found out by using it.
        let isBroken = !ready.isDisjoint(with: [.error, .hangup])
        unsafe ares_process_fd(
            handle, isBroken || ready.contains(.readable) ? socket : ARES_SOCKET_BAD,
            isBroken || ready.contains(.writable) ? socket : ARES_SOCKET_BAD)
    }

    /// Lets c-ares look at its timeouts.
    borrowing func processTimeouts() { unsafe ares_process_fd(handle, ARES_SOCKET_BAD, ARES_SOCKET_BAD) }

    /// When c-ares wants to look at its timeouts; `nil`: it waits for nothing.
    var timeout: Duration? {
        var time = timeval()
        guard unsafe ares_timeout(handle, nil, &time) != nil else { return nil }
        return .seconds(time.tv_sec) + .microseconds(time.tv_usec)
    }
}
