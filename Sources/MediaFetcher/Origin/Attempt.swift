import NotificationModel

/// One try of a download: its place in its host's line, to be given back at its end, and what it has found out.
///
/// An object: what lives as long as a try does not belong into the frames of the task that carries it.
final class Attempt {
    let download: OriginFetch
    let url: ValidatedURL
    let errand: FetchContext
    /// It finds out how the host is.
    let isProbe: Bool
    /// `nil`: the URL has an address, or none was found yet.
    var pin: AddressPin?
    /// What finding it took.
    var dns: Duration?
    var ticket: FairHostQueue.Ticket?
    /// Whether the host did what a host does; `nil` where it was not asked, or not to the end.
    var isHostWell: Bool?

    init(_ download: OriginFetch, at url: ValidatedURL, for errand: FetchContext, isProbe: Bool) {
        self.download = download
        self.url = url
        self.errand = errand
        self.isProbe = isProbe
    }
}
