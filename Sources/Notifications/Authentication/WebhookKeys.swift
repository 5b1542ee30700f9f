import Base
package import FoundationEssentials

/// The secrets of a callback target, in the form of Standard Webhooks 1.0: `whsec_…` for HMAC-SHA256 (`v1`), and
/// `whsk_…` for Ed25519 (`v1a`).
///
/// Each key signs each message, so that a receiver accepts messages during a rotation with its old key or its new key.
package struct WebhookKeys: KeyText {
    private enum Key: Sendable {
        case secret([UInt8])
        case signing(SignatureKey)
    }

    private static let most = 4
    /// The permitted sizes of a symmetric secret, in bytes (Standard Webhooks, "Signature scheme").
    private static let secretBytes = 24...64
    private static let publicPrefix = "whpk_"

    private let keys: [Key]
    /// The lines of the text, by which keys are compared.
    private let lines: [String]

    /// Reads up to four keys, each on a line of its own.
    package init(_ text: String) throws(UnusableKeys) {
        let lines = text.split(whereSeparator: \.isNewline).map { String($0.trimmingBlanks) }.filter { !$0.isEmpty }
        guard (1...Self.most).contains(lines.count) else {
            throw UnusableKeys(
                reason: "has \(lines.count) lines with keys: write one key, or up to \(Self.most) during a rotation")
        }
        var keys: [Key] = []
        for line in lines { keys.append(try Self.key(line)) }
        self.keys = keys
        self.lines = lines
    }

    private static func key(_ line: String) throws(UnusableKeys) -> Key {
        if let bytes = bytes(of: line, after: "whsec_") {
            guard secretBytes.contains(bytes.count) else {
                throw UnusableKeys(
                    reason:
                        "has a secret of \(bytes.count) bytes, and 24 to 64 are needed: make one with echo whsec_$(openssl rand -base64 32)"
                )
            }
            return .secret(bytes)
        }
        // A key of 64 bytes has the public key after the private key.
        if let bytes = bytes(of: line, after: "whsk_"), bytes.count == 32 || bytes.count == 64,
            let key = SignatureKey(ed25519Seed: Array(bytes.prefix(SignatureKey.ed25519Bytes))),
            bytes.count == 32 || Array(bytes.suffix(32)) == key.ed25519PublicKey
        {
            return .signing(key)
        }
        throw UnusableKeys(
            reason:
                "has a line that is neither whsec_ and a secret in Base64, nor whsk_ and an Ed25519 key in Base64: make a secret with echo whsec_$(openssl rand -base64 32)"
        )
    }

    private static func bytes(of line: String, after prefix: String) -> [UInt8]? {
        guard line.hasPrefix(prefix) else { return nil }
        return Data(base64Encoded: String(line.dropFirst(prefix.count))).map(Array.init)
    }

    /// The public keys of the `v1a` signatures, as `whpk_…`.
    package var publicKeys: [String] {
        keys.compactMap { key in
            guard case .signing(let key) = key else { return nil }
            return Self.publicPrefix + Data(key.ed25519PublicKey).base64EncodedString()
        }
    }

    /// Returns the value of `webhook-signature`: a signature by each key, with blanks between them.
    package func signatures(of body: [UInt8], id: String, timestamp: Int) -> String {
        let signed = Self.signed(body, id, "\(timestamp)")
        return keys.map { key in
            switch key {
            case .secret(let secret):
                "v1,\(Data(MessageAuthentication.code(of: signed, by: secret)).base64EncodedString())"
            case .signing(let key): "v1a,\(Data(key.ed25519Signature(of: signed)).base64EncodedString())"
            }
        }.joined(separator: " ")
    }

    private static func signed(_ body: [UInt8], _ id: String, _ timestamp: String) -> [UInt8] {
        Array("\(id).\(timestamp).".utf8) + body
    }
}

extension WebhookKeys {
    package static func == (one: WebhookKeys, other: WebhookKeys) -> Bool { one.lines == other.lines }
}

extension WebhookKeys {
    /// The reason for which a message is not accepted.
    package enum Refusal: String, Error, Sendable, CaseIterable {
        case missingField = "a field webhook-id, webhook-timestamp or webhook-signature is missing or malformed"
        case old = "the timestamp is more than five minutes ago"
        case fromFuture = "the timestamp is more than five minutes in the future"
        case forged = "no signature is by a known key for this id, timestamp and body"
    }

    /// The largest difference between the timestamp and the clock of the receiver, in seconds.
    private static let tolerance: TimeInterval = 300

    /// Checks a received message: that one of these keys has signed exactly these bytes, at about this time.
    package func check(
        _ body: [UInt8], id: String?, timestamp: String?, signatures: String?, at now: Date
    ) throws(Refusal) {
        guard let id, !id.isEmpty, let timestamp, let signatures, (1...12).contains(timestamp.utf8.count),
            timestamp.utf8.allSatisfy(\.isASCIIDigit), let seconds = Int64(timestamp)
        else { throw .missingField }
        let age = now.timeIntervalSince1970 - Double(seconds)
        guard age <= Self.tolerance else { throw .old }
        guard age >= -Self.tolerance else { throw .fromFuture }
        let signed = Self.signed(body, id, timestamp)
        guard signatures.split(separator: " ").prefix(16).contains(where: { isValid($0, of: signed) }) else {
            throw .forged
        }
    }

    private func isValid(_ signature: Substring, of signed: [UInt8]) -> Bool {
        let parts = signature.split(separator: ",", maxSplits: 1)
        guard parts.count == 2, let code = Data(base64Encoded: String(parts[1])).map(Array.init) else { return false }
        return keys.contains { key in
            switch (key, parts[0]) {
            case (.secret(let secret), "v1"): MessageAuthentication.isValid(code, of: signed, by: secret)
            case (.signing(let key), "v1a"): key.isValid(code, of: signed)
            default: false
            }
        }
    }
}
