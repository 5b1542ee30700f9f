import Base
import FoundationEssentials

/// The reason for which a signed URL does not permit its call.
package enum URLRefusal: Error, Sendable, Equatable, CaseIterable {
    /// The URL has no signature.
    case unsigned
    /// No key has made the signature for this URL.
    case forged
    /// The URL has ended.
    case expired
}

/// Keys that are read from the text of a file.
package protocol KeyText: Sendable, Equatable {
    /// Reads the keys, each on a line of its own.
    init(_ text: String) throws(UnusableKeys)
}

/// The reason for which a text has no usable keys.
package struct UnusableKeys: Error, Equatable {
    package let reason: String
}

/// The keys that sign URLs for calls without a token. During a rotation there are two: the first key signs, and
/// signatures of both are valid.
///
/// The query of a signed URL ends with `expires=SECONDS&signature=CODE`. `SECONDS` is the end of the URL in seconds since
/// 1970. `CODE` is the HMAC-SHA256 of the URL from `/v1/` to `SECONDS`, in base64url.
package struct URLSigningKeys: KeyText {
    /// The shortest key, in characters. 32 random bytes have 43 characters in Base64 without padding.
    package static let minLength = 43

    private let keys: [[UInt8]]

    /// Reads one or two keys, each on a line of its own.
    package init(_ text: String) throws(UnusableKeys) {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingBlanks }.filter { !$0.isEmpty }
        guard (1...2).contains(lines.count) else {
            throw UnusableKeys(reason: "has \(lines.count) lines with keys: write one key, or two during a rotation")
        }
        guard lines.allSatisfy({ $0.utf8.count >= Self.minLength }) else {
            throw UnusableKeys(
                reason:
                    "has a key of fewer than \(Self.minLength) characters, which could be guessed: make one with openssl rand -base64 32"
            )
        }
        keys = lines.map { Array($0.utf8) }
    }

    /// Returns a URL with its end and its signature.
    ///
    /// - Parameter target: The URL from `/v1/`, with the parameters that are signed.
    func signed(_ target: String, until end: Date) -> String {
        let text = Self.text(of: target, until: "\(Int64(end.timeIntervalSince1970))")
        return "\(text)&signature=\(Base64URL.text(of: MessageAuthentication.code(of: Array(text.utf8), by: keys[0])))"
    }

    /// Checks the end and the signature of a URL.
    ///
    /// - Parameter end: The text of `expires`; `nil` if the query has no such parameter.
    /// - Parameter signature: The text of `signature`; `nil` if the query has no such parameter.
    /// - Returns: The number of seconds for which the URL is still valid.
    func check(
        _ target: String, until end: String?, signature: String?, at now: Date
    ) throws(URLRefusal) -> Int {
        guard let end, let signature else { throw .unsigned }
        guard (1...12).contains(end.utf8.count), end.utf8.allSatisfy(\.isASCIIDigit), let seconds = Int64(end),
            haveSigned(Self.text(of: target, until: end), as: signature)
        else { throw .forged }
        let rest = Double(seconds) - now.timeIntervalSince1970
        guard rest > 0 else { throw .expired }
        return Int(rest.rounded(.down))
    }

    private func haveSigned(_ text: String, as signature: String) -> Bool {
        // The last character of another spelling has other spare bits.
        guard let code = Base64URL.bytes(of: signature), Base64URL.text(of: code) == signature else { return false }
        let bytes = Array(text.utf8)
        return keys.contains { MessageAuthentication.isValid(code, of: bytes, by: $0) }
    }

    private static func text(of target: String, until end: String) -> String {
        "\(target)\(target.contains("?") ? "&" : "?")expires=\(end)"
    }
}
