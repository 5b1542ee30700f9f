/// The statuses of temporary failures.
///
/// Content delivery networks and proxies send statuses of their own in place of 502, 503 and 504. None of these is in
/// IANA's registry of HTTP statuses. Left out are statuses of the same families that stay until a setting is changed:
/// Cloudflare's 525 and 526 (the certificate of the origin), and 509 of Apache's and cPanel's bandwidth limits, which
/// lasts until the next month.
package enum TemporaryStatus {
    static let ofIntermediaries: Set<Int> = [
        // Cloudflare, "5xx errors": the origin answered something else than HTTP, refused the connection, did not accept
        // it in time, could not be reached, or did not answer in time; Railgun's connection was interrupted; the name
        // of the origin could not be resolved (with an error 1xxx in the page).
        520, 521, 522, 523, 524, 527, 530,
        // Overloaded, as Qualys' SSL Labs and others send it in place of 503.
        529,
        // A timeout of a read or of a connection between a proxy and its origin, in place of 504.
        598, 599,
    ]
    private static let standard: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    package static func contains(_ status: Int) -> Bool {
        standard.contains(status) || ofIntermediaries.contains(status)
    }
}
