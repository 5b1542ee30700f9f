/// A permission of a caller of the HTTP API. Each route needs at most one scope.
///
/// The scope `admin` does not include the other scopes. A caller needs every scope by name.
package enum Scope: String, Sendable, CaseIterable {
    /// Submits payloads, and waits for their results.
    case submit
    /// Reads the state and the result of a request.
    case read
    /// Cancels requests by their ids or by the provider's id.
    case cancel
    /// Prepares media before the notifications that show them are sent.
    case warm
    /// Follows the events of requests.
    case events
    /// Reads renditions over HTTP.
    case media
    /// Reads and changes the stored permissions, names and labels of receivers.
    case recipients
    /// Reports what happened to emitted notifications on devices.
    case receipts
    /// Reads the state and the metrics of the daemon, and removes media from its caches.
    case admin
}
