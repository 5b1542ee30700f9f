import JSON
import NotificationModel
import WebURL

extension ValueCodec where Value == SecretFile {
    /// The codec of a file with a bearer token. Only its path is shown.
    static var tokenFile: ValueCodec {
        ValueCodec(
            expected: "the path of a file", shape: .text,
            read: { value throws(ValueErrors) in
                let file = try SecretFile.read(value)
                guard isToken(file.secret.value) else {
                    throw value.refusal(
                        "\(QuotedText.path(file.path)) has no token: write only the token into it, without Bearer")
                }
                return file
            },
            json: { .string($0.path) })
    }

    /// Returns whether a text is a `b64token` (RFC 6750 §2.1).
    private static func isToken(_ text: String) -> Bool {
        let padding = UInt8(ascii: "=")
        let token = text.utf8.reversed().drop { $0 == padding }
        return !token.isEmpty
            && token.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-._~+/".utf8.contains($0) }
    }
}
