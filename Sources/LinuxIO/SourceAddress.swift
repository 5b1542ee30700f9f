import CLinuxShims
package import NotificationModel

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
