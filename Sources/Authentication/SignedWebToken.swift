package import FoundationEssentials
package import JSON

/// JSON Web Tokens that this program makes or passes on (RFC 7519).
package enum SignedWebToken {
    private static let header: JSONObject = ["alg": "HS256", "typ": "JWT"]

    /// Returns a token with claims, signed with HMAC-SHA256 (`HS256`, RFC 7518 §3.2).
    package static func text(of claims: JSONObject, by secret: String) -> String {
        let parts = [header, claims].map { Base64URL.text(of: JSONWriter.bytes(of: .object($0))) }
        let signed = parts.joined(separator: ".")
        let code = MessageAuthentication.code(of: Array(signed.utf8), by: Array(secret.utf8))
        return "\(signed).\(Base64URL.text(of: code))"
    }

    /// Returns the claim `exp` of a token of another issuer, which is not verified; `nil` if the text is no token, or has
    /// no such claim.
    package static func expiry(of token: String) -> Date? {
        guard let token = try? JSONWebToken(token), let seconds = token.claims["exp"]?.integer else { return nil }
        return Date(timeIntervalSince1970: Double(seconds))
    }
}
