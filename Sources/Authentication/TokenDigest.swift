import Digests
import Primitives

/// The SHA-256 of a bearer token. Tokens are kept only in this form, so that neither the configuration nor the memory of
/// the daemon contains a token that is valid.
package struct TokenDigest: Sendable, Equatable, CustomStringConvertible {
    private static let prefix = "sha256:"

    /// The digest as `appgroupd token hash` prints it: `sha256:` and 64 lower-case hexadecimal digits.
    package let description: String

    /// Hashes a token, which is not kept.
    package init(of token: some StringProtocol) {
        description = Self.prefix + Hexadecimal.text(of: SHA256.hash(Array(token.utf8)))
    }

    /// Reads a digest in the form of `description`.
    ///
    /// - Returns: `nil` if the text has another form.
    package init?(_ text: String) {
        let digits = text.dropFirst(Self.prefix.count)
        guard text.hasPrefix(Self.prefix), digits.utf8.count == 64, Hexadecimal.isLowercase(digits) else { return nil }
        description = text
    }

    /// Compares two digests in a time that does not depend on their values.
    package static func == (one: TokenDigest, other: TokenDigest) -> Bool {
        zip(one.description.utf8, other.description.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

/// A bearer token without an issuer. The configuration lists its digest.
package struct StaticToken: Sendable, Equatable {
    /// The shortest permitted token, in characters: 32 random bytes in Base64 without padding.
    package static let leastLength = 43

    package var digest: TokenDigest
    /// The file from which the token was read; `nil` if the configuration contains the digest.
    package var file: String?
    package var caller: Caller

    package init(digest: TokenDigest, file: String? = nil, caller: Caller) {
        self.digest = digest
        self.file = file
        self.caller = caller
    }

    /// Returns a new token: `agd_` and 32 random bytes in base64url. Scanners for leaked secrets recognize the prefix.
    package static func make() -> String {
        var random = SystemRandomNumberGenerator()
        return "agd_" + Base64URL.text(of: (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }
}
