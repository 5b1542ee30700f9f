import Base
package import FoundationEssentials
import NotificationModel

/// An issuer of JSON Web Tokens, with its keys and the rules for its tokens.
package struct TokenIssuer: Sendable, Equatable {
    /// The time by which the clocks of the issuer and of this machine may differ.
    package static let leeway: TimeInterval = 30
    /// The longest `sub`, in bytes.
    private static let maxSubject = 256

    /// The value of `iss`, which is compared exactly.
    package var issuer: String
    /// The value that `aud` must contain.
    package var audience: String
    package var keys: VerificationKeys
    /// The permitted algorithms; empty if each key names its algorithm.
    package var algorithms: [VerificationKey.Algorithm]
    /// The claim with the permitted app groups: an array of names, or one text with names between spaces.
    package var groupsClaim: String
    /// The claim with the scopes, in the same form. Scopes of other programs are ignored.
    package var scopesClaim: String
    /// The limits of each subject.
    package var limits: CallLimits

    package init(
        issuer: String, audience: String, keys: VerificationKeys, algorithms: [VerificationKey.Algorithm] = [],
        groupsClaim: String = "groups", scopesClaim: String = "scope", limits: CallLimits = CallLimits()
    ) {
        self.issuer = issuer
        self.audience = audience
        self.keys = keys
        self.algorithms = algorithms
        self.groupsClaim = groupsClaim
        self.scopesClaim = scopesClaim
        self.limits = limits
    }

    /// Verifies a token of this issuer: the signature first, and then the claims.
    ///
    /// - Returns: The caller, and the time until which the token is valid; `nil` if the token is not valid at `now`.
    func caller(of token: JSONWebToken, at now: Date) -> Authenticator.Verified? {
        guard let key = key(of: token), key.verifies(token.signature, of: token.signedBytes),
            let subject = token.claims["sub"]?.string, !subject.isEmpty, subject.utf8.count <= Self.maxSubject,
            Self.texts(token.claims["aud"]).contains(audience),
            let expiry = token.claims["exp"]?.double, now.timeIntervalSince1970 < expiry + Self.leeway
        else { return nil }
        if let begin = token.claims["nbf"] {
            guard let begin = begin.double, begin <= now.timeIntervalSince1970 + Self.leeway else { return nil }
        }
        let caller = Caller(
            name: "\(issuer) \(subject)", issuer: issuer,
            groups: GroupPermission(names: Self.words(token.claims[groupsClaim])),
            scopes: Set(Self.words(token.claims[scopesClaim]).compactMap(Scope.init)), limits: limits)
        return Authenticator.Verified(caller: caller, until: Date(timeIntervalSince1970: expiry + Self.leeway))
    }

    /// Returns the key that a token names. A token without `kid` is verified only if the issuer has one key. The
    /// algorithm of the token must be the algorithm of the key.
    private func key(of token: JSONWebToken) -> VerificationKey? {
        let keys = keys.keys
        let named = token.keyID.map { id in keys.filter { $0.id == id } } ?? [self.keys.unnamed].compactMap(\.self)
        return named.first { $0.algorithm.names.contains(token.algorithm) }
    }

    /// Returns the texts of a claim that is a text or an array of texts.
    private static func texts(_ claim: JSONValue?) -> [String] {
        claim?.string.map { [$0] } ?? claim?.array?.compactMap(\.string) ?? []
    }

    private static func words(_ claim: JSONValue?) -> [String] {
        texts(claim).flatMap { $0.split(separator: " ").map(String.init) }
    }
}
