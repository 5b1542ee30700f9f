/// A server on this machine that answers in place of all origins, for the laboratory.
///
/// Names are resolved, and URLs and addresses are validated, as for any other fetch. Only the socket connects to another
/// place. Certificates are verified for the name in the URL.
package struct StandIn: Sendable {
    /// Returns the port on 127.0.0.1 that answers for a host.
    let port: @Sendable (_ host: String) -> UInt16

    package init(port: @escaping @Sendable (_ host: String) -> UInt16) { self.port = port }
}
