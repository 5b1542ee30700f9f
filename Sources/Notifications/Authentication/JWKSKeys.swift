import Base
import NotificationModel

/// The reading of a JWKS file. Keys for other algorithms and uses are left out, because the files of identity providers
/// also contain them. A key that cannot be used is ignored with a reason, because one retired key at the provider must
/// not stop a rotation (RFC 7517 §5).
enum JWKSKeys {
    typealias Algorithm = VerificationKey.Algorithm
    typealias Unusable = VerificationKeys.Unusable

    private static let maxKeys = 64

    /// Returns the keys that can be used, and a sentence about each key that is ignored.
    static func keys(
        of bytes: [UInt8], algorithms: [Algorithm]
    ) throws(Unusable) -> (keys: [VerificationKey], ignored: [String]) {
        let file: JSONValue
        do throws(JSONSyntaxError) { file = try JSONParser.value(of: bytes) } catch {
            throw Unusable(reason: "it is neither PEM nor JSON: \(error)")
        }
        guard let entries = file["keys"]?.array else {
            throw Unusable(reason: "it must be an object with the array \"keys\" (RFC 7517), or PEM")
        }
        guard entries.count <= maxKeys else { throw Unusable(reason: "it has more than \(maxKeys) keys") }
        var (keys, ignored, unnamed): ([VerificationKey], [String], [String]) = ([], [], [])
        var seen: Set<String> = []
        for (position, entry) in entries.enumerated() {
            do throws(Unusable) {
                guard let key = try key(of: entry, algorithms: algorithms) else { continue }
                if let id = key.id, !seen.insert("\(key.algorithm) \(id)").inserted {
                    throw Unusable(reason: "an earlier key has the same kid")
                }
                keys.append(key)
                if key.id == nil { unnamed.append(name(of: entry, at: position)) }
            } catch { ignored.append("\(name(of: entry, at: position)) is ignored: \(error.reason)") }
        }
        // A token without kid is verified only if the set has one key.
        if keys.count > 1 { ignored += unnamed.map { "\($0) is ignored: it has no kid, and the set has several keys" } }
        return (keys, ignored)
    }

    /// Returns the place, the type and the id of a key, without any of its bytes.
    private static func name(of entry: JSONValue, at position: Int) -> String {
        let type = entry["kty"]?.string.map { VisibleText.short($0, most: 16) } ?? "without kty"
        let id = entry["kid"]?.string.map { ", kid \(VisibleText.quoted($0, most: 64))" } ?? ""
        return "keys[\(position)] (\(type)\(id))"
    }

    private static func key(of entry: JSONValue, algorithms: [Algorithm]) throws(Unusable) -> VerificationKey? {
        if let use = entry["use"]?.string, use != "sig" { return nil }
        if let uses = entry["key_ops"]?.array?.compactMap(\.string), !uses.contains("verify") { return nil }
        guard let type = entry["kty"]?.string else { throw Unusable(reason: "it has no kty") }
        guard let fitting = algorithm(ofType: type, curve: entry["crv"]?.string) else { return nil }
        // The type of a key fits one supported algorithm, but the key must be meant for this algorithm.
        if let named = entry["alg"]?.string {
            guard fitting.names.contains(named) else { return nil }
        } else if algorithms.isEmpty {
            throw Unusable(
                reason:
                    "it has no alg: add \"alg\":\"\(fitting)\" to the key, or algorithms: [\(fitting)] to the issuer")
        }
        guard algorithms.isEmpty || algorithms.contains(fitting) else { return nil }
        let id = entry["kid"]?.string
        guard entry["kid"] == nil || id.map({ (1...256).contains($0.utf8.count) }) == true else {
            throw Unusable(reason: "its kid, by which tokens name the key, must have 1 to 256 bytes")
        }
        return VerificationKey(id: id, algorithm: fitting, material: try material(of: entry, for: fitting))
    }

    private static func algorithm(ofType type: String, curve: String?) -> Algorithm? {
        switch (type, curve) {
        case ("oct", _): .hs256
        case ("RSA", _): .rs256
        case ("EC", "P-256"): .es256
        case ("OKP", "Ed25519"): .edDSA
        default: nil
        }
    }

    private static func material(
        of entry: JSONValue, for algorithm: Algorithm
    ) throws(Unusable) -> VerificationKey.Material {
        func bytes(_ name: String, count: Int? = nil) throws(Unusable) -> [UInt8] {
            guard let bytes = entry[name]?.string.flatMap({ Base64URL.bytes(of: $0) }), !bytes.isEmpty,
                bytes.count == count ?? bytes.count, bytes.count <= 1_024
            else {
                throw Unusable(reason: "\(name) must be \(count.map { "\($0) bytes" } ?? "a number") in base64url")
            }
            return bytes
        }
        let information: [UInt8]
        switch algorithm {
        case .hs256:
            let secret = try bytes("k")
            guard secret.count >= VerificationKey.minSecret else {
                throw Unusable(
                    reason:
                        "the secret has \(secret.count) bytes, and HS256 needs at least \(VerificationKey.minSecret)")
            }
            return .secret(secret)
        case .es256:
            information = DER.publicKey(DER.p256, [4] + (try bytes("x", count: 32)) + (try bytes("y", count: 32)))
        case .rs256:
            let numbers = DER.sequence(DER.integer(try bytes("n")), DER.integer(try bytes("e")))
            information = DER.publicKey(DER.rsa, numbers)
        case .edDSA: information = DER.publicKey(DER.ed25519, try bytes("x", count: 32))
        }
        return .publicKey(try PEMKeys.checked(SignatureKey(subjectPublicKeyInfo: information)).key)
    }
}
