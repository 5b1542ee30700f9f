import LinuxIO
package import Primitives
package import WebURL

/// A cache of the addresses of this host. A service on one of them may trust any client that can connect to it.
///
/// The addresses are read when an address must be checked that no other rule refuses. The addresses are read again
/// after ten seconds, and immediately when the kernel reports a change.
package final class LocalInterfaceAddresses: Sendable {
    static let longestAge: Duration = .seconds(10)

    private struct Reading {
        var addresses: Set<IPAddress>
        var instant: MonotonicInstant
    }

    private let reading = Guarded<Reading?>(nil)
    private let read: @Sendable () -> Set<IPAddress>?
    private let hasChanged: @Sendable () -> Bool
    private let now: @Sendable () -> MonotonicInstant

    /// Creates a cache of the addresses of the network interfaces.
    package convenience init() {
        let interfaces = NetworkInterfaces()
        self.init(read: { interfaces.addresses() }, hasChanged: { interfaces.haveChanged() }, now: { .now })
    }

    /// Creates a cache of addresses.
    ///
    /// - Parameter read: a closure that reads the addresses, and returns `nil` if they cannot be read.
    /// - Parameter hasChanged: a closure that returns whether the addresses may have changed since its last call. It is
    ///   called before each `read`.
    package init(
        read: @escaping @Sendable () -> Set<IPAddress>?, hasChanged: @escaping @Sendable () -> Bool,
        now: @escaping @Sendable () -> MonotonicInstant
    ) {
        self.read = read
        self.hasChanged = hasChanged
        self.now = now
    }

    /// Returns whether an address belongs to this host; `nil` if the addresses cannot be read.
    func contains(_ address: IPAddress) -> Bool? {
        reading.withLock { reading in
            let now = now()
            // `hasChanged` is always called first, so that a change during `read` is found by the next call.
            let isNews = hasChanged()
            if !isNews, let known = reading, known.instant.duration(to: now) < Self.longestAge {
                return known.addresses.contains(address)
            }
            reading = read().map { Reading(addresses: $0, instant: now) }
            return reading?.addresses.contains(address)
        }
    }
}
