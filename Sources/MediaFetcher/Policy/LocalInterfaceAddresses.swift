import LinuxIO
package import NotificationModel

/// The addresses of this host, kept for a while: what listens on one of them may trust whoever reaches it.
///
/// They are read when an address is asked for that nothing else refuses, again after ten seconds, and at once when the
/// kernel tells of a change.
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

    /// The addresses of the network interfaces.
    package convenience init() {
        let interfaces = NetworkInterfaces()
        self.init(read: { interfaces.addresses() }, hasChanged: { interfaces.haveChanged() }, now: { .now })
    }

    /// - Parameters:
    ///   - read: `nil` where they cannot be read.
    ///   - hasChanged: whether they may have changed since it was last called. It is called before each `read`.
    package init(
        read: @escaping @Sendable () -> Set<IPAddress>?, hasChanged: @escaping @Sendable () -> Bool,
        now: @escaping @Sendable () -> MonotonicInstant
    ) {
        self.read = read
        self.hasChanged = hasChanged
        self.now = now
    }

    /// Whether the address is this host's; `nil` where that cannot be known.
    func contains(_ address: IPAddress) -> Bool? {
        reading.withLock { reading in
            let now = now()
            // Asked first, always: a change during the reading is then news for the next one.
            let isNews = hasChanged()
            if !isNews, let known = reading, known.instant.duration(to: now) < Self.longestAge {
                return known.addresses.contains(address)
            }
            reading = read().map { Reading(addresses: $0, instant: now) }
            return reading?.addresses.contains(address)
        }
    }
}
