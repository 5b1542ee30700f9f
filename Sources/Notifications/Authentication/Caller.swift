import Base
package import NotificationModel

/// A caller of the HTTP API, as its credential describes it.
package struct Caller: Sendable, Equatable {
    /// The name for the log and for limits: the name of a token, or the issuer and the subject of a JSON Web Token.
    package var name: String
    /// The issuer of the JSON Web Token; `nil` for a token of the configuration.
    package var issuer: String?
    package var groups: GroupPermission
    package var scopes: Set<Scope>
    package var limits: CallLimits
    /// The process of a caller over the unix socket; `nil` for all other callers.
    package var process: Int32?

    package init(
        name: String, issuer: String? = nil, groups: GroupPermission, scopes: Set<Scope>,
        limits: CallLimits = CallLimits()
    ) {
        self.name = name
        self.issuer = issuer
        self.groups = groups
        self.scopes = scopes
        self.limits = limits
    }

    /// Returns whether a text can be the name of a token: 1 to 64 letters, digits and `._-`.
    package static func isTokenName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "._-".utf8.contains($0) }
    }

    /// The caller of the unix socket, or of loopback without authentication. The process runs on this machine.
    package static let local = Caller(name: "local", groups: .all, scopes: Set(Scope.allCases))

    /// Whether the caller is a process of this machine that needs no token.
    package var isLocal: Bool { process != nil || self == .local }

    /// The name of the caller for its share of places and memory. No token has a name with
    /// a space.
    package var share: String { process.map { "process \($0)" } ?? name }

    /// The caller of a public route that sends no token, such as a phone.
    package static let anonymous = Caller(name: "anonymous", groups: .all, scopes: [])

    /// A caller of the push gateway that sends no token, such as a homeserver.
    package static let homeserver = Caller(name: "homeserver", groups: .all, scopes: [.submit])
}

/// The limits of one caller. A value that is `nil` is not limited.
package struct CallLimits: Sendable, Equatable {
    /// The mean number of calls a second, 1…1,000,000. The same number may come at once.
    package var rate: Int?
    /// The number of calls and accepted requests that may be unfinished at a time, 1…1,000,000.
    package var concurrent: Int?

    package init(rate: Int? = nil, concurrent: Int? = nil) {
        self.rate = rate
        self.concurrent = concurrent
    }
}

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
    /// Reads and changes the stored permissions, names and labels of recipients.
    case recipients
    /// Reports what happened to emitted notifications on devices.
    case receipts
    /// Reads the state and the metrics of the daemon, and removes media from its caches.
    case admin
}
