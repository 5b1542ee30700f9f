import CLinuxShims
import Glibc
package import NotificationModel

/// Tells the service manager how the daemon is doing (sd_notify(3)): datagrams of `KEY=value` lines to the socket that
/// `NOTIFY_SOCKET` names. Without the variable there is nobody to tell, and every call does nothing.
///
/// Any manager that speaks the protocol will do: systemd with `Type=notify` or `Type=notify-reload`, s6 and podman through
/// adapters. Errors are for a log only: a daemon that cannot tell goes on.
package struct ServiceNotifier: Sendable {
    private let socket: String?

    /// - Parameter socket: a path, or a name in the abstract namespace behind an `@`.
    package init(socket: String? = unsafe getenv("NOTIFY_SOCKET").map { unsafe String(cString: $0) }) {
        self.socket = socket.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The start is done; or the reload is.
    package func ready(status: String? = nil) throws(SystemError) { try send(["READY=1"], status: status) }

    /// The end has begun.
    package func stopping(status: String? = nil) throws(SystemError) { try send(["STOPPING=1"], status: status) }

    /// The configuration is being read again; `ready` follows. The manager orders the two by the time that is sent along
    /// (needed from systemd 253 on).
    package func reloading(status: String? = nil) throws(SystemError) {
        try send(["RELOADING=1", "MONOTONIC_USEC=\(MonotonicClock.microseconds)"], status: status)
    }

    /// One line for `systemctl status`.
    package func status(_ text: String) throws(SystemError) { try send([], status: text) }

    private func send(_ lines: [String], status: String?) throws(SystemError) {
        guard let socket else { return }
        // A line break would begin another assignment.
        let text = status.map { "STATUS=" + $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
        let message = Array((lines + (text.map { [$0] } ?? [])).joined(separator: "\n").utf8)
        guard unsafe agd_send_datagram(socket, message, message.count) == 0 else { throw .last("notify \(socket)") }
    }
}

/// The address that this machine would call another from.
package enum SourceAddress {
    /// Connects a UDP socket, which sends nothing and never blocks; the kernel looks up the route.
    ///
    /// - Returns: `nil` where there is no way to the address.
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
