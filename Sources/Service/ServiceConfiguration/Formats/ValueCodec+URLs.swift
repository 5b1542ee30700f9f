import Base

extension ValueCodec where Value == BaseURL {
    /// Returns the codec of a base URL.
    ///
    /// - Parameter schemes: The accepted schemes: `https`, `http`, or both.
    /// - Parameter reason: The reason for which other schemes are refused; `nil` if the message has no reason.
    static func baseURL(_ schemes: [String], since reason: String? = nil) -> ValueCodec {
        let expected = "an \(schemes.joined(separator: " or ")) URL"
        let expectedInFull =
            "\(expected), such as https://media.example.com/push" + (reason.map { ", because \($0)" } ?? "")
        return ValueCodec(
            expected: expected + " without credentials, query and fragment", shape: .text,
            read: { value throws(ValueErrors) in
                let text = try value.text(expectedInFull)
                do throws(BaseURL.Problem) {
                    let url = try BaseURL(text)
                    guard schemes.contains(url.scheme) else { throw .form }
                    return url
                } catch {
                    throw value.refusal(words(error, text, expectedInFull))
                }
            },
            json: { .string($0.description) })
    }

    /// Returns the message of a problem. It does not repeat a text that may contain a password or a signature.
    private static func words(_ problem: BaseURL.Problem, _ text: String, _ expected: String) -> String {
        switch problem {
        case .credentials: "the URL has credentials in it: remove the part before the @"
        case .query: "the URL has a query or fragment: remove the ? or # and everything after it"
        case .form where text.contains("@"): "the text with an @ is not \(expected)"
        case .form: "\(QuotedText.quote(text)) is not \(expected)"
        }
    }
}

extension ValueCodec where Value == String {
    /// The codec of an absolute path of a URL, without slashes at its end.
    static var urlPath: ValueCodec {
        text(
            "a path that begins with a slash", as: "/renditions",
            { text in
                guard text.hasPrefix("/"), let path = BaseURL.path(text[...]), !path.isEmpty else { return nil }
                return path
            }, shown: { .string($0) })
    }
}
