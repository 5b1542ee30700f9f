package import Authentication
import Base
import NotificationModel

extension ValueCodec where Value == String {
    /// The codec of the name of a token, which the log shows.
    static var callerName: ValueCodec {
        text(
            "1 to 64 letters, digits and ._-", as: "gateway-1",
            { Caller.isTokenName($0) ? $0 : nil }, shown: { .string($0) })
    }

    /// The codec of an app group that a caller may use, or `*` for all groups.
    static var permittedGroup: ValueCodec {
        text(
            "the name of an app group, or \"*\" for all groups", { $0 == "*" ? $0 : AppGroupName($0)?.description },
            shown: { .string($0) })
    }

    /// The codec of a file with certificates, which must be a regular file.
    static var pemFile: ValueCodec {
        ValueCodec(
            expected: "the path of a file", shape: .text,
            read: { value throws(ValueErrors) in
                _ = try BoundedFile.read(value, limit: 1 << 20)
                return try value.text("the path of a file")
            },
            json: { .string($0) })
    }

    /// The codec of a file that other users must not be able to read. Only its path is kept.
    static var privateFile: ValueCodec {
        ValueCodec(
            expected: "the path of a file", shape: .text,
            read: { value throws(ValueErrors) in try SecretFile.read(value).path }, json: { .string($0) })
    }

    /// The codec of a claim's name or value, which is compared exactly.
    static var claimText: ValueCodec {
        text("a text of 1 to 256 bytes", { (1...256).contains($0.utf8.count) ? $0 : nil }, shown: { .string($0) })
    }
}

extension ValueCodec where Value == TokenDigest {
    static var tokenDigest: ValueCodec {
        ValueCodec(
            expected: "sha256: and 64 hexadecimal digits, as appgroupd token hash prints them", shape: .text,
            read: { value throws(ValueErrors) in
                // The text may be a token by mistake, so no message repeats it.
                guard case .text(let text) = value.content, let digest = TokenDigest(text) else {
                    throw value.refusal(
                        "is not sha256: and 64 hexadecimal digits: appgroupd token hash makes the hash of a token")
                }
                return digest
            },
            json: { .string($0.description) })
    }
}

/// A file with a bearer token, of which only the digest is kept.
struct BearerTokenFile: Sendable, Equatable {
    let path: String
    let digest: TokenDigest
}

extension ValueCodec where Value == BearerTokenFile {
    static var bearerTokenFile: ValueCodec {
        let format = ValueCodec<SecretFile>.tokenFile
        return ValueCodec(
            expected: format.expected, shape: format.shape,
            read: { value throws(ValueErrors) in
                let file = try format.read(value)
                guard file.secret.value.utf8.count >= StaticToken.minLength else {
                    throw value.refusal(
                        "the token in \(QuotedText.path(file.path)) is shorter than \(StaticToken.minLength) characters, "
                            + "and could be guessed: make one with appgroupd token new")
                }
                return BearerTokenFile(path: file.path, digest: TokenDigest(of: file.secret.value))
            },
            json: { .string($0.path) })
    }
}

/// A private file with keys, which are read when the configuration is loaded.
package struct KeyFile<Keys: KeyText>: Sendable, Equatable {
    package let path: String
    package let keys: Keys
}

extension ValueCodec {
    /// Returns the codec of a file with one or more keys. Only its path is shown.
    static func keyFile<Keys>() -> ValueCodec where Value == KeyFile<Keys> {
        ValueCodec(
            expected: "the path of a file", shape: .text,
            read: { value throws(ValueErrors) in
                let file = try SecretFile.read(value)
                do throws(UnusableKeys) {
                    return KeyFile(path: file.path, keys: try Keys(file.secret.value))
                } catch {
                    throw value.refusal("\(QuotedText.path(file.path)) \(error.reason)")
                }
            },
            json: { .string($0.path) })
    }
}

extension ValueCodec where Value == VerificationKeys {
    private static let limit = 1 << 20

    /// Returns the codec of a file with the keys of an issuer.
    ///
    /// - Parameter algorithms: The permitted algorithms; empty if each key names its algorithm.
    static func verificationKeys(_ algorithms: [VerificationKey.Algorithm]) -> ValueCodec {
        ValueCodec(
            expected: "the path of a JWKS file or a PEM file", shape: .text,
            read: { value throws(ValueErrors) in
                let expected = "the path of a JWKS file or a PEM file"
                let file = try BoundedFile.read(value, expected, limit: limit)
                let path = try value.text(expected)
                let name = QuotedText.path(path)
                do throws(VerificationKeys.Unusable) {
                    let keys = try VerificationKeys(file.bytes, path: path, algorithms: algorithms)
                    // A public key may be read by all users. A key that also signs must not be.
                    guard file.mode & (keys.containSecrets ? 0o006 : 0o002) == 0 else {
                        throw VerificationKeys.Unusable(reason: "all users can read or write it: chmod o-rw \(name)")
                    }
                    return keys
                } catch {
                    throw value.refusal("\(name): \(error.reason)")
                }
            },
            json: { .string($0.path) })
    }
}

extension ValueCodec where Value == SecretFile {
    /// The codec of a file with a bearer token. Only its path is shown.
    static var tokenFile: ValueCodec {
        ValueCodec(
            expected: "the path of a file", shape: .text,
            read: { value throws(ValueErrors) in
                let file = try SecretFile.read(value)
                guard StaticToken.isToken(file.secret.value) else {
                    throw value.refusal(
                        "\(QuotedText.path(file.path)) has no token: write only the token into it, without Bearer")
                }
                return file
            },
            json: { .string($0.path) })
    }
}
