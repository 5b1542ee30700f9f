/// A table from the requests of clients to faults and files, in place of paths that name their faults.
package protocol OriginRouting: Sendable {
    /// Returns the faults and the file for a request; `nil` if the table does not list it, and the origin answers 404.
    ///
    /// - Parameter host: The host of the request in lower case, without a port; empty if the request names no host.
    /// - Parameter path: The path as sent, without its query.
    func route(host: String, path: String) -> OriginRequestPath?
}

/// The circumstances in which an origin answers, in addition to the faults of its paths.
package struct OriginCircumstances: Sendable {
    /// The table of routes; `nil` if the paths of requests name faults and files.
    package var routes: (any OriginRouting)?
    package var link: LinkShape?
    /// The authority of the certificates, with which the origin also serves HTTPS; `nil` for plain HTTP only.
    package var authority: CertificateAuthority?
    package var timers = OriginTimers.eventLoop
    /// The seed of all random choices.
    package var seed: UInt64 = 0

    package init() {}
}
