package import NotificationModel
import WebURL

/// A caller of the HTTP API, as its credential describes it.
package struct Caller: Sendable, Equatable {
    /// The name for the log and for limits: the name of a token, or the issuer and the subject of a JSON Web Token.
    package var name: String
    /// The issuer of the JSON Web Token; `nil` for a token of the configuration.
    package var issuer: String?
    package var groups: GroupPermission
    package var scopes: Set<Scope>
    package var limits: CallLimits

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
