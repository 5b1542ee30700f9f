import Base

extension ValueCodec where Value == BaseURL {
    /// The codec of a proxy's URL, which has no path.
    static var proxyURL: ValueCodec {
        let expected = "an http or https URL of a host and a port"
        let inFull = "\(expected), such as http://proxy.example.com:3128"
        return ValueCodec(
            expected: expected, shape: .text,
            read: { value throws(ValueErrors) in
                let text = try value.text(inFull)
                do throws(BaseURL.Problem) {
                    let url = try BaseURL(text)
                    guard url.path.isEmpty else { throw .form }
                    return url
                } catch {
                    // The message does not repeat the text, because it may have a password.
                    guard !text.contains("@") else {
                        throw value.refusal(
                            "the URL has credentials in it: remove the part before the @, write USER:PASSWORD into a file, and name the file in fetch.proxyCredentials"
                        )
                    }
                    throw value.refusal("\(QuotedText.quote(text)) is not \(inFull)")
                }
            },
            json: { .string($0.description) })
    }
}

extension ValueCodec where Value == SecretFile {
    /// The codec of a file with a user and a password. Only its path is shown.
    static var credentialsFile: ValueCodec {
        ValueCodec(
            expected: "the path of a file", shape: .text,
            read: { value throws(ValueErrors) in
                let file = try SecretFile.read(value)
                let text = file.secret.value
                guard let colon = text.firstIndex(of: ":"), colon > text.startIndex,
                    text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
                else {
                    throw value.refusal(
                        "\(QuotedText.path(file.path)) has no user and password: write USER:PASSWORD into it, on one line"
                    )
                }
                return file
            },
            json: { .string($0.path) })
    }
}

extension ValueCodec where Value == String {
    /// The codec of a host, of the names below a host, or of addresses.
    static var directHost: ValueCodec {
        text(
            "a host, the names below a host, an address or a range",
            as: "example.com, .example.com, 192.0.2.1 or 10.0.0.0/8, without scheme and port",
            { text in
                if AddressRange(text) != nil { return text }
                guard text.hasPrefix(".") else { return HostText.parsePattern(text) }
                let domain = String(text.dropFirst())
                guard IPAddress(domain) == nil else { return nil }
                return HostText.parse(domain).map { "." + $0 }
            }, shown: { .string($0) })
    }
}

extension ValueCodec where Value == Bool {
    static var truth: ValueCodec {
        text("true or false", { ["true": true, "false": false][$0] }, shown: { .bool($0) })
    }

    /// Returns the codec of a choice between two words.
    ///
    /// - Parameter value: The value of the first word.
    static func either(_ first: String, or second: String, means value: Bool = true) -> ValueCodec {
        text(
            "one of \(first), \(second)", { [first: value, second: !value][$0] },
            shown: { .string($0 == value ? first : second) })
    }
}
