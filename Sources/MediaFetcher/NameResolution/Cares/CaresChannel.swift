import Base
import CCares
import LinuxIO
import NotificationModel

/// An owned c-ares channel: one query with its sockets and its timeouts.
@safe struct CaresChannel: ~Copyable {
    private let handle: OpaquePointer
    /// The receiver of the callbacks. c-ares points to the receiver until the channel is destroyed, and reports the
    /// last socket events during the destruction.
    private let events: ChannelEvents

    /// Creates a channel without a query, which asks the name servers or reads only /etc/hosts.
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
        // The order of the lookups: "f" is /etc/hosts and "b" is DNS (`man 3 ares_init_options`). c-ares copies the
        // string.
        var lookups = Array((asksServers ? "fb" : "f").utf8CString)
        let status = unsafe lookups.withUnsafeMutableBufferPointer { lookups in
            var options = unsafe ares_options()
            // All names are absolute, even if resolv.conf, the host's own name or $HOSTALIASES provide search domains.
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

    /// The status of the initialization of c-ares, which runs once per process and before any other call of c-ares.
    private static let libraryStatus = ares_library_init(ARES_LIB_INIT_ALL)

    /// Starts a query for IPv4 and IPv6 addresses. c-ares may report the answer before `ask` returns.
    borrowing func ask(_ name: HostName) {
        var hints = ares_addrinfo_hints()
        hints.ai_family = AF_UNSPEC
        // To sort addresses, c-ares would open a socket for each address. This takes 100 ms for the 4,000 addresses
        // that fit into one answer.
        hints.ai_flags = ARES_AI_NOSORT
        let context = unsafe Unmanaged.passUnretained(events).toOpaque()
        unsafe ares_getaddrinfo(handle, name.description, nil, &hints, receiveHost, context)
    }

    /// Lets c-ares read from and write to a socket that is ready.
    borrowing func process(_ socket: Int32, _ ready: DescriptorEvents) {
        // c-ares finds the error of a socket by using the socket, so a broken socket counts as readable and writable.
        let isBroken = !ready.isDisjoint(with: [.error, .hangup])
        unsafe ares_process_fd(
            handle, isBroken || ready.contains(.readable) ? socket : ARES_SOCKET_BAD,
            isBroken || ready.contains(.writable) ? socket : ARES_SOCKET_BAD)
    }

    /// Lets c-ares handle its expired timeouts.
    borrowing func processTimeouts() { unsafe ares_process_fd(handle, ARES_SOCKET_BAD, ARES_SOCKET_BAD) }

    /// The time until c-ares must handle its next timeout; `nil` if it has no timeout.
    var timeout: Duration? {
        var time = timeval()
        guard unsafe ares_timeout(handle, nil, &time) != nil else { return nil }
        return .seconds(time.tv_sec) + .microseconds(time.tv_usec)
    }
}

/// An error of c-ares, which refused a call or has no memory left for it.
struct CaresError: Error, Equatable, CustomStringConvertible {
    /// The status code, one of the `ARES_E…` constants.
    let status: Int32

    static func check(_ status: Int32) throws(CaresError) {
        guard status == ARES_SUCCESS else { throw CaresError(status: status) }
    }

    /// The text of c-ares for the status code.
    var description: String {
        unsafe ares_strerror(status).map { unsafe String(cString: $0) } ?? "error \(status)"
    }
}

/// The c-ares library that this process has loaded.
package enum CaresLibrary {
    /// The version of the library, for example `1.18.1`.
    package static var version: String {
        unsafe ares_version(nil).map { unsafe String(cString: $0) } ?? "unknown"
    }
}
