import JSON

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
    private static func object(_ part: Substring) -> JSONObject? {
        guard let bytes = Base64URL.bytes(of: part), let object = (try? JSONParser.value(of: bytes))?.object,
            Set(object.keys).count == object.keys.count
        else { return nil }
        return object
    }

    /// The parameter `iss` of the claims.
    var issuer: String? { claims["iss"]?.string }
}
