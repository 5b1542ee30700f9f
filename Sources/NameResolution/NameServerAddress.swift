package import WebURL

/// The address of a name server: `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` or `[2001:db8::1]:5353`.
package struct NameServerAddress: Sendable, Equatable {
    package let address: IPAddress
    /// The port; 53 if the text has none.
    package let port: UInt16
    /// The address and the port, in the form that c-ares reads.
    let text: String

    package init?(_ written: String) {
        if let address = IPAddress(written) {
            (self.address, port) = (address, 53)
        } else {
            let place = HostAndPort(written)
            guard let port = place.portNumber, port > 0,
                let address = IPAddress(bracketed: place.host) ?? IPAddress(String(place.host))
            else { return nil }
            (self.address, self.port) = (address, port)
        }
        text = "\(address.textInURL):\(port)"
    }
}
