package import Authentication
import Base
import FoundationEssentials
import HTTPTypes

/// The authentication and the limits of callers, which a reload of the configuration changes.
package final class AccessControl: Sendable {
    private struct State: Sendable {
        var authenticator: Authenticator
        /// An event that is signalled when the authenticator is replaced.
        var change = AsyncEvent()
    }

    /// The longest wait for the end of a credential, after which its end is computed again.
    private static let maxWait: TimeInterval = 86_400

    private let state: Guarded<State>
    private let limiter = CallLimiter()

    /// - Parameter authenticator: The check of credentials. Without tokens and issuers, it refuses every caller.
    package init(_ authenticator: Authenticator = Authenticator(tokens: [], issuers: [])) {
        state = Guarded(State(authenticator: authenticator))
    }

    package func change(_ authenticator: Authenticator) {
        let earlier = state.withLock { state in
            defer { state = State(authenticator: authenticator) }
            return state.change
        }
        earlier.signal()
    }

    /// Waits until a credential is refused, or no longer permits the call that it began: the token has expired, or a
    /// reload has removed the token or changed its groups. A cancelled task does not wait.
    ///
    /// - Parameter authorization: The value of `Authorization` that named the caller.
    func waitForEnd(
        of caller: Caller, authorization: String, scope: Scope, on clock: any RequestClock
    ) async {
        while !Task.isCancelled {
            let state = state.withLock(\.self)
            let date = clock.date
            guard let verified = try? state.authenticator.verify(authorization: authorization, at: date),
                verified.caller.name == caller.name, verified.caller.groups == caller.groups,
                verified.caller.scopes.contains(scope)
            else { return }
            // A token may be valid for centuries, and the clock of the machine may be set.
            let rest = verified.until.map { min(Self.maxWait, $0.timeIntervalSince(date)) } ?? Self.maxWait
            await state.change.wait(until: clock.now.advanced(by: .seconds(rest)), on: clock)
        }
    }

    /// Returns the caller that the bearer token of a request names.
    func caller(of request: HTTPRequest, at date: Date) throws(Problem) -> Caller {
        let fields = request.headerFields[values: .authorization]
        guard fields.count < 2 else { throw .header("Authorization", "occurs \(fields.count) times: write it once.") }
        do throws(Authenticator.Refusal) {
            return try state.withLock(\.authenticator).caller(authorization: fields.first, at: date)
        } catch {
            switch error {
            case .missing:
                throw Problem(
                    .unauthenticated, "This call needs the header field Authorization with a bearer token.",
                    headers: [.wwwAuthenticate: Self.challenge()])
            case .invalid:
                throw Problem(
                    .unauthenticated, "The token is unknown, malformed, expired or signed by another key.",
                    headers: [.wwwAuthenticate: Self.challenge("invalid_token")])
            }
        }
    }

    /// Counts a call of a caller.
    ///
    /// - Returns: The permit of the call, which is held until the call ends; `nil` if the caller has no limits.
    func admit(_ caller: Caller, at now: MonotonicInstant) throws(Problem) -> CallPermit? {
        let rate = caller.limits.rate
        do throws(CallLimiter.Refusal) { return try limiter.admit(caller, at: now) } catch {
            switch error {
            case .rate(let time):
                let seconds = max(1, Int(time.seconds.rounded(.up)))
                throw Self.limited(
                    "The token permits \(rate ?? 0) calls a second.", seconds,
                    RateLimitFields.fields(rate: rate, remaining: 0))
            case .concurrent(let most, let remaining):
                throw Self.limited(
                    "The token permits \(most) unfinished calls and requests at a time.", 1,
                    RateLimitFields.fields(rate: rate, remaining: remaining))
            case .crowded:
                throw Self.limited(
                    "Too many other subjects of the token's issuer call now.", 1,
                    RateLimitFields.fields(rate: rate, remaining: 0))
            }
        }
    }

    private static func limited(_ reason: String, _ seconds: Int, _ fields: HTTPFields) -> Problem {
        var headers = fields
        headers[.retryAfter] = "\(seconds)"
        return Problem(.limited, "\(reason) Try again in \(seconds) s.", headers: headers)
    }

    /// Checks that a caller has the scope of a route.
    static func check(_ caller: Caller, has scope: Scope?) throws(Problem) {
        guard let scope, !caller.scopes.contains(scope) else { return }
        throw Problem(
            .forbidden, "This call needs the scope \(scope.rawValue), which the token does not have.",
            members: ["scope": .string(scope.rawValue)],
            headers: [.wwwAuthenticate: challenge("insufficient_scope", scope: scope)])
    }

    /// Returns the value of `WWW-Authenticate` (RFC 6750 §3).
    private static func challenge(_ error: String? = nil, scope: Scope? = nil) -> String {
        "Bearer realm=\"appgroupd\"" + (error.map { ", error=\"\($0)\"" } ?? "")
            + (scope.map { ", scope=\"\($0.rawValue)\"" } ?? "")
    }
}

extension CallPermit {
    /// The header fields of the response.
    var fields: HTTPFields { RateLimitFields.fields(rate: rate, remaining: remaining) }
}

/// The header fields that tell a caller the state of its rate limit (draft-ietf-httpapi-ratelimit-headers-10).
enum RateLimitFields {
    /// Returns the fields of a caller; no fields if its rate is not limited.
    static func fields(rate: Int?, remaining: Int?) -> HTTPFields {
        guard let rate, let remaining else { return [:] }
        return [
            .rateLimitPolicy: "\"rate\";q=\(rate);w=1", .rateLimit: "\"rate\";r=\(remaining);t=1",
        ]
    }
}
