import Base
import HTTPCaching
import NotificationModel

/// The requests that the gateway has forwarded.
final class AskedRequests: Sendable {
    private let requests = Guarded<[OriginRequest]>([])

    var all: [OriginRequest] { requests.withLock { $0 } }

    func note(_ request: OriginRequest) { requests.withLock { $0.append(request) } }
}
