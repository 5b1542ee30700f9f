import Base
import Digests

/// The SHA-256 of a bearer token. Tokens are kept only in this form, so that neither the configuration nor the memory of
/// the daemon contains a token that is valid.
package struct TokenDigest: Sendable, Hashable, CustomStringConvertible {
    private static let prefix = "sha256:"

    /// The 32 bytes of the digest, from the first to the last. The check of a call with 256 tokens takes 1.2 µs, and at
    /// least 278 µs if texts are compared.
    private let words: SIMD4<UInt64>

    /// Hashes a token, which is not kept.
    package init(of token: some StringProtocol) { self.init(bytes: SHA256.hash(Array(token.utf8))) }

    /// Reads a digest in the form of `description`.
    ///
    /// - Returns: `nil` if the text has another form.
    package init?(_ text: String) {
        let digits = text.dropFirst(Self.prefix.count)
        guard text.hasPrefix(Self.prefix), digits.utf8.count == 64, Hexadecimal.isLowercase(digits) else { return nil }
        let values = digits.utf8.compactMap(\.hexadecimalValue)
        self.init(bytes: stride(from: 0, to: 64, by: 2).map { values[$0] << 4 | values[$0 + 1] })
    }

    private init(bytes: [UInt8]) {
        words = SIMD4(
            (0..<4).map { word in bytes[(8 * word)..<(8 * word + 8)].reduce(0) { $0 << 8 | UInt64($1) } })
    }

    /// The digest as `appgroupd token hash` prints it: `sha256:` and 64 lower-case hexadecimal digits.
    package var description: String {
        let bytes = (0..<32).map { UInt8(truncatingIfNeeded: words[$0 / 8] >> UInt64(56 - 8 * ($0 % 8))) }
        return Self.prefix + Hexadecimal.text(of: bytes)
    }

    /// Compares two digests in a time that does not depend on their values.
    package static func == (one: TokenDigest, other: TokenDigest) -> Bool {
        let difference = one.words ^ other.words
        return difference.x | difference.y | difference.z | difference.w == 0
    }
}

/// A bearer token without an issuer. The configuration lists its digest.
package struct StaticToken: Sendable, Equatable {
    /// The shortest permitted token, in characters: 32 random bytes in Base64 without padding.
    package static let minLength = 43

    /// Returns whether a text is a `b64token` (RFC 6750 §2.1), which `Authorization` can contain.
    package static func isToken(_ text: some StringProtocol) -> Bool {
        let padding = UInt8(ascii: "=")
        let token = text.utf8.reversed().drop { $0 == padding }
        return !token.isEmpty && token.allSatisfy { $0.isASCIILetterOrDigit || "-._~+/".utf8.contains($0) }
    }

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
