import Base

@testable import MediaFetcher

extension LocalInterfaceAddresses {
    /// Returns a cache with known addresses.
    ///
    /// - Parameter addresses: the addresses of this host; `nil` if they cannot be read.
    static func known(_ addresses: Set<IPAddress>?) -> LocalInterfaceAddresses {
        LocalInterfaceAddresses(read: { addresses }, hasChanged: { false }, now: { .now })
    }
}
