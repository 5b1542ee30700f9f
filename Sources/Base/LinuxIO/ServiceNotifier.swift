package import Base
import CLinuxShims
import Glibc

/// A notifier that sends the state of the daemon to the service manager (sd_notify(3)).
///
/// The notifier sends datagrams of `KEY=value` lines to the socket that `NOTIFY_SOCKET` names. Without the variable,
/// each call does nothing. Any manager with this protocol works: systemd with `Type=notify` or `Type=notify-reload`,
/// and s6 and podman with adapters. An error is only logged, because a daemon that cannot notify the manager still
/// works. A call never waits for a manager that does not read its messages.
package struct ServiceNotifier: Sendable {
    private let socket: String?

    /// Whether a manager has named a socket.
    package var hasManager: Bool { socket != nil }

    /// Creates a notifier for the path of a socket, or for `@` and an abstract name; `nil` or empty without a manager.
    package init(socket: String? = unsafe getenv("NOTIFY_SOCKET").map { unsafe String(cString: $0) }) {
        self.socket = socket.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Reports that the start or the reload is complete. The manager ends a service that does not report it, so the message
    /// waits up to a second for a manager that is busy.
    package func ready(status: String? = nil) throws(SystemError) {
        try send(["READY=1"], status: status, waits: true)
    }

    /// Reports that the shutdown has begun.
    package func stopping(status: String? = nil) throws(SystemError) { try send(["STOPPING=1"], status: status) }

    /// Reports that the configuration is being reloaded; `ready` must follow. The manager orders the two messages by
    /// the time in them (required from systemd 253 on).
    package func reloading(status: String? = nil) throws(SystemError) {
        try send(["RELOADING=1", "MONOTONIC_USEC=\(MonotonicClock.microseconds)"], status: status, waits: true)
    }

    /// Reports that the daemon works, for the watchdog of the manager.
    package func alive(status: String? = nil) throws(SystemError) { try send(["WATCHDOG=1"], status: status) }

    /// Returns the interval within which the manager expects `alive`, or else kills the process (sd_watchdog_enabled(3));
    /// `nil` if the manager watches no process, or another process.
    ///
    /// - Parameter environment: A function that returns the value of a variable; `nil` without the variable.
    package static func watchdogInterval(
        processIdentifier: Int32 = getpid(),
        environment: (String) -> String? = { unsafe getenv($0).map { unsafe String(cString: $0) } }
    ) -> Duration? {
        guard let microseconds = environment("WATCHDOG_USEC").flatMap(Int64.init), microseconds > 0 else { return nil }
        if let owner = environment("WATCHDOG_PID"), owner != "\(processIdentifier)" { return nil }
        return .microseconds(microseconds)
    }

    /// Sends one line of text for `systemctl status`.
    package func status(_ text: String) throws(SystemError) { try send([], status: text) }

    private func send(_ lines: [String], status: String?, waits: Bool = false) throws(SystemError) {
        guard let socket else { return }
        // A line break in the text would begin another assignment.
        let text = status.map { "STATUS=" + $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
        let message = Array((lines + (text.map { [$0] } ?? [])).joined(separator: "\n").utf8)
        do throws(SystemError) {
            let manager = try DatagramSocket(to: socket)
            if waits { try manager.limitWaits(toSeconds: 1) }
            try manager.send(message, waits: waits)
        } catch {
            throw SystemError("notify \(socket)", errno: error.errno)
        }
    }
}

/// The address from which this machine would send to another machine.
package enum SourceAddress {
    /// Connects a UDP socket, so the kernel looks up the route. The call sends no packet and never blocks. Returns
    /// `nil` if there is no route to the address.
    package static func towards(_ address: IPAddress) -> IPAddress? {
        let target =
            switch address {
            case .v4(let number): unsafe withUnsafeBytes(of: number.bigEndian) { unsafe Array($0) }
            case .v6(let number): unsafe withUnsafeBytes(of: number.bigEndian) { unsafe Array($0) }
            }
        var source = target
        guard unsafe agd_source_address(target, &source, target.count) == 0 else { return nil }
        return IPAddress(bytes: source.span)
    }
}

/// A datagram socket that is connected to a Unix socket of another program, such as a service manager or a journal.
package struct DatagramSocket: ~Copyable, Sendable {
    private let descriptor: OwnedDescriptor

    /// Connects the socket to a path; `@` begins a name in the abstract namespace.
    package init(to path: String) throws(SystemError) {
        descriptor = try .adopt(unsafe agd_connect_datagram(path), from: "connect \(path)")
    }

    /// Limits the time for which a message waits for its recipient. The call then fails with `EAGAIN`.
    borrowing func limitWaits(toSeconds seconds: Int) throws(SystemError) {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        guard unsafe setsockopt(descriptor.raw, SOL_SOCKET, SO_SNDTIMEO, &limit, size) == 0 else {
            throw .last("setsockopt SO_SNDTIMEO")
        }
    }

    /// Sends one message whole, or fails.
    ///
    /// - Parameter waits: Whether the call waits if the recipient has too many unread messages, for the time that
    ///   `limitWaits` has set. Otherwise the call then fails with `EAGAIN`.
    package borrowing func send(_ message: [UInt8], waits: Bool) throws(SystemError) {
        let flags = Int32(MSG_NOSIGNAL) | (waits ? 0 : Int32(MSG_DONTWAIT))
        while true {
            let sent = unsafe message.withUnsafeBytes { bytes in
                unsafe Glibc.send(descriptor.raw, bytes.baseAddress, bytes.count, flags)
            }
            if sent < 0, errno == EINTR { continue }
            guard sent == message.count else { throw .last("send") }
            return
        }
    }
}
