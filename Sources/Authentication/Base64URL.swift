import FoundationEssentials
import WebURL

/// The encoding `base64url` without padding (RFC 4648 §5), as JSON Web Tokens use it.
enum Base64URL {
    static func text(of bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().filter { $0 != "=" }
            .map { $0 == "+" ? "-" : $0 == "/" ? "_" : String($0) }.joined()
    }

    /// Returns the encoded bytes; `nil` if the text has other characters or padding.
    static func bytes(of text: some StringProtocol) -> [UInt8]? {
        guard text.utf8.allSatisfy({ $0.isASCIILetterOrDigit || $0 == dash || $0 == underscore }) else {
            return nil
        }
        var base64 = text.utf8.map { $0 == dash ? UInt8(ascii: "+") : $0 == underscore ? UInt8(ascii: "/") : $0 }
        base64 += [UInt8](repeating: UInt8(ascii: "="), count: (4 - base64.count % 4) % 4)
        return Data(base64Encoded: Data(base64)).map(Array.init)
    }

    private static let dash = UInt8(ascii: "-")
    private static let underscore = UInt8(ascii: "_")
}
