import Authentication
import JSON
import NotificationModel

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
