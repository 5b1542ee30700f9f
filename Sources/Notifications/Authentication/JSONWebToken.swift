package import Base
package import FoundationEssentials

/// The parts of a JSON Web Token in the compact form (RFC 7519, RFC 7515 §7.1). Nothing in it is verified.
struct JSONWebToken {
    /// The reason for which a token cannot be read.
    struct Malformed: Error {}

    /// The header parameters that name or contain a key. A token with one of them is refused, because keys come only
    /// from the files of the operator.
    private static let keyParameters = ["jwk", "jku", "x5u"]

    /// The parameter `alg` of the header.
    let algorithm: String
    /// The parameter `kid` of the header; `nil` if it is missing.
    let keyID: String?
    let claims: JSONObject
    /// The bytes that the signature signs.
    let signedBytes: [UInt8]
    let signature: [UInt8]

    /// Reads a token, without verifying it.
    ///
    /// - Throws: `Malformed` if the token does not have three parts in base64url, if its header or its claims are not a
    ///   JSON object, if the header lacks `alg`, or if the header has a key or critical extensions (`crit`).
    init(_ text: String) throws(Malformed) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let signature = Base64URL.bytes(of: parts[2]), let header = Self.object(parts[0]),
            let claims = Self.object(parts[1]), let algorithm = header["alg"]?.string,
            header["crit"] == nil, Self.keyParameters.allSatisfy({ header[$0] == nil }),
            header["kid"] == nil || header["kid"]?.string != nil
        else { throw Malformed() }
        self.algorithm = algorithm
        keyID = header["kid"]?.string
        self.claims = claims
        signedBytes = Array("\(parts[0]).\(parts[1])".utf8)
        self.signature = signature
    }

    /// Reads a part that is a JSON object. A key may occur once, so that no other program reads another value.
    fileprivate static func object(_ part: Substring) -> JSONObject? {
        guard let bytes = Base64URL.bytes(of: part), let object = (try? JSONParser.value(of: bytes))?.object,
            Set(object.keys).count == object.keys.count
        else { return nil }
        return object
    }

    /// The parameter `iss` of the claims.
    var issuer: String? { claims["iss"]?.string }
}

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

    /// Returns the claim `exp` of a token of another issuer, which may have a fraction (RFC 7519 §2); `nil` if the text is
    /// no token, or has no such claim. The other parts of the token are for its reader.
    package static func expiry(of token: String) -> Date? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let claims = JSONWebToken.object(parts[1]), let seconds = claims["exp"]?.double else {
            return nil
        }
        return Date(timeIntervalSince1970: seconds)
    }
}

/// The encoding `base64url` without padding (RFC 4648 §5), as JSON Web Tokens use it.
enum Base64URL {
    static func text(of bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().filter { $0 != "=" }
            .map { $0 == "+" ? "-" : $0 == "/" ? "_" : String($0) }.joined()
    }

    /// Returns the encoded bytes; `nil` if the text has other characters or padding, or if the spare bits of its last
    /// character are not zero. Without this rule, several texts would be one signature (RFC 4648 §3.5).
    static func bytes(of text: some StringProtocol) -> [UInt8]? {
        guard text.utf8.allSatisfy({ $0.isASCIILetterOrDigit || $0 == dash || $0 == underscore }) else {
            return nil
        }
        var base64 = text.utf8.map { $0 == dash ? UInt8(ascii: "+") : $0 == underscore ? UInt8(ascii: "/") : $0 }
        base64 += [UInt8](repeating: UInt8(ascii: "="), count: (4 - base64.count % 4) % 4)
        guard let bytes = Data(base64Encoded: Data(base64)).map(Array.init) else { return nil }
        return Self.text(of: bytes.suffix(bytes.count % 3)).last == (bytes.count % 3 == 0 ? nil : text.last)
            ? bytes : nil
    }

    private static let dash = UInt8(ascii: "-")
    private static let underscore = UInt8(ascii: "_")
}
