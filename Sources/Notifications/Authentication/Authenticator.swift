import Base
import Digests
package import FoundationEssentials
import NotificationModel

/// The check of the credentials of callers, for one configuration. A reload makes a new authenticator.
///
/// **Input.** The value of the header field `Authorization` (RFC 6750 §2.1), and the current date. The configuration
/// brings the digests of tokens (``StaticToken``), and issuers with the bytes of their key files (``TokenIssuer``,
/// ``VerificationKeys``).
///
/// **Output.** The ``Caller`` with its groups, its scopes and its limits, and the time until which its credential is
/// valid; or the reason for the refusal. ``CallLimiter`` then counts the calls of the caller.
///
/// **Refused.** Unknown digests; JSON Web Tokens that are malformed, expired or not signed by the key that they name; keys
/// and URLs of keys in a token; algorithms that are not the algorithm of the key; files with short secrets, weak RSA keys
/// or other key types. A response does not say which of these reasons applies.
///
/// **Bounds.** At most `maxRemembered` verified JSON Web Tokens are remembered, each by its digest, so that a token is
/// verified once and not for each call. Tokens are never kept as text.
///
/// **Cancellation.** No function of this target waits, so none can be cancelled. An event stream checks its credential
/// again at the end of its validity and after each reload.
///
/// **Threads.** The target does no I/O, and any thread may use its types. OpenSSL verifies signatures on the calling
/// thread.
///
/// To add a new scope, do this: write its case in ``Scope``, name it as the `scope` of its routes, and describe it in
/// `docs/operate/listen.md`. `docs/schema/openapi.json` follows with `REWRITE_GOLDENS=1`. `TokenAccessTests` checks
/// each route with a token of each scope.
package final class Authenticator: Sendable {
    package enum Refusal: Error, Sendable, Equatable {
        /// The request has no bearer token.
        case missing
        /// The token is unknown, forged, expired or malformed. The response does not say which.
        case invalid
    }

    /// A caller, and the time from which its credential is refused; `nil` without such a time.
    package struct Verified: Sendable, Equatable {
        package let caller: Caller
        package let until: Date?
    }

    /// The maximum number of remembered tokens.
    private static let maxRemembered = 4_096

    private let tokens: [StaticToken]
    private let issuers: [String: TokenIssuer]
    private let remembered = Guarded<[TokenDigest: Verified]>([:])

    /// - Parameter issuers: The issuers, each with another value of `issuer`.
    package init(tokens: [StaticToken], issuers: [TokenIssuer]) {
        self.tokens = tokens
        self.issuers = Dictionary(issuers.map { ($0.issuer, $0) }) { first, _ in first }
    }

    /// Returns the caller of a request.
    ///
    /// - Parameter authorization: The value of the header field `Authorization`; `nil` if it is missing.
    package func caller(authorization: String?, at now: Date) throws(Refusal) -> Caller {
        try verify(authorization: authorization, at: now).caller
    }

    /// Returns the caller of a request, and the end of its credential.
    ///
    /// - Parameter authorization: The value of the header field `Authorization`; `nil` if it is missing.
    package func verify(authorization: String?, at now: Date) throws(Refusal) -> Verified {
        guard let authorization else { throw .missing }
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw .missing }
        let token = parts[1].drop { $0 == " " }
        guard !token.isEmpty else { throw .missing }
        let digest = TokenDigest(of: token)
        // Each digest is compared, so that the time does not depend on the position of the token.
        var known: Int?
        for index in tokens.indices { known = tokens[index].digest == digest ? index : known }
        if let known { return Verified(caller: tokens[known].caller, until: nil) }
        if let verified = recall(digest, at: now) { return verified }
        guard !issuers.isEmpty, let token = try? JSONWebToken(String(token)),
            let issuer = token.issuer.flatMap({ issuers[$0] }), let verified = issuer.caller(of: token, at: now)
        else { throw .invalid }
        remember(verified, as: digest, at: now)
        return verified
    }

    private func recall(_ digest: TokenDigest, at now: Date) -> Verified? {
        guard !issuers.isEmpty else { return nil }
        return remembered.withLock { $0[digest] }.flatMap { Self.isValid($0, at: now) ? $0 : nil }
    }

    private func remember(_ verified: Verified, as digest: TokenDigest, at now: Date) {
        remembered.withLock { remembered in
            if remembered.count >= Self.maxRemembered {
                remembered = remembered.filter { Self.isValid($0.value, at: now) }
            }
            // An issuer with more valid tokens at a time only loses the saved verifications.
            if remembered.count >= Self.maxRemembered { remembered = [:] }
            remembered[digest] = verified
        }
    }

    private static func isValid(_ verified: Verified, at now: Date) -> Bool {
        verified.until.map { now < $0 } ?? true
    }
}
