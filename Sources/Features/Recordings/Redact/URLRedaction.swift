import Base

/// The removal of secrets from the URLs of one recording. Equal URLs stay equal, and different URLs stay different, so
/// that a replay requests each of them as often as the daemon did.
///
/// * Only the parameters of an allow-list stay in a query, with short values. If two URLs differ in the rest, the path of
///   the second one begins with `/2/`.
/// * A part of a path that may be a token is replaced by `token-1`, `token-2` and so on.
/// * User information and fragments are removed.
package struct URLRedaction {
    /// The parameters that stay. Resizing services have them.
    package static let parameters: Set<String> = [
        "w", "h", "width", "height", "size", "q", "quality", "fm", "format", "fit", "crop", "dpr", "auto", "v",
    ]
    static let replacement = "redacted"
    private static let maxValue = 16
    /// The number of characters from which on a text of letters and digits may be a token.
    private static let longToken = 20

    /// The numbers of the replaced tokens.
    private var tokens: [String: Int] = [:]
    /// The queries of each path, in the order of their first occurrence.
    private var queries: [String: [String]] = [:]

    package init() {}

    /// Returns a URL with an authority, or a relative reference, without secrets.
    package mutating func url(_ text: String) -> String {
        let reference = URIReference(WebURL.repaired(text))
        guard let scheme = reference.scheme, let authority = reference.authority else {
            let path = reference.path.isEmpty ? "" : self.path(String(reference.path))
            return path + Self.kept(reference.query)
        }
        let host = authority.utf8.lastIndex(of: UInt8(ascii: "@")).map { place in
            "redacted@" + authority[authority.utf8.index(after: place)...]
        }
        let path = PercentEncoding.encodingNonASCII(in: reference.path)
        let place = number(of: String(reference.query ?? ""), at: path)
        return "\(scheme)://\(host ?? String(authority))\(place > 1 ? "/\(place)" : "")\(self.path(path))"
            + Self.kept(reference.query)
    }

    /// Returns a text without the secrets of its URLs, and without the other words that may be tokens.
    package mutating func text(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let mark = rest.firstRange(of: "://") {
            let scheme = rest[..<mark.lowerBound].reversed().prefix {
                $0.isASCII && ($0.isLetter || "+-.".contains($0))
            }
            let start = rest.index(mark.lowerBound, offsetBy: -scheme.count)
            result += Self.words(rest[..<start])
            let url = rest[start...].prefix { !$0.isWhitespace && !"\"<>".contains($0) }
            result += self.url(String(url))
            rest = rest[url.endIndex...]
        }
        return result + Self.words(rest)
    }

    /// Returns the number of a query among those of the path, from 1.
    private mutating func number(of query: String, at path: String) -> Int {
        let known = queries[path, default: []]
        if let place = known.firstIndex(of: query) { return place + 1 }
        queries[path] = known + [query]
        return known.count + 1
    }

    private mutating func path(_ path: String) -> String {
        var segments: [String] = []
        for part in path.split(separator: "/", omittingEmptySubsequences: false) { segments.append(segment(part)) }
        return path.isEmpty ? "/" : segments.joined(separator: "/")
    }

    private mutating func segment(_ segment: Substring) -> String {
        let dot = segment.lastIndex(of: ".").flatMap { dot in
            MediaFormat.named(extension: String(segment[segment.index(after: dot)...])) == nil ? nil : dot
        }
        let stem = segment[..<(dot ?? segment.endIndex)]
        guard Self.mayBeToken(stem) else { return String(segment) }
        let number = tokens[String(stem), default: tokens.count + 1]
        tokens[String(stem)] = number
        return "token-\(number)" + segment[stem.endIndex...]
    }

    /// Returns a query with the permitted parameters and its question mark; empty if none is left.
    private static func kept(_ query: Substring?) -> String {
        let kept = (query ?? "").split(separator: "&").filter { parameter in
            let sides = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return sides.count == 2 && parameters.contains(sides[0].lowercased()) && sides[1].utf8.count <= maxValue
                && sides[1].utf8.allSatisfy { $0.isASCIILetterOrDigit || "-_.,:".utf8.contains($0) }
        }
        return kept.isEmpty ? "" : "?" + kept.joined(separator: "&")
    }

    /// Returns whether a text may be a token or an identifier: it has a long run of letters and digits, or it is long and
    /// has both cases or the form of a UUID.
    static func mayBeToken(_ text: some StringProtocol) -> Bool {
        guard text.utf8.count >= longToken, text.utf8.contains(where: \.isASCIIDigit),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return false }
        let runs = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        if runs.contains(where: { $0.utf8.count >= longToken && $0.contains(where: \.isNumber) }) { return true }
        let isUUID = runs.map(\.count) == [8, 4, 4, 4, 12]
        return isUUID
            || text.utf8.count >= 32 && text.contains(where: \.isUppercase) && text.contains(where: \.isLowercase)
    }

    /// Returns a text without the words that may be tokens.
    private static func words(_ text: Substring) -> String {
        var result = ""
        var rest = text
        while !rest.isEmpty {
            let word = rest.prefix { !$0.isWhitespace }
            result += mayBeToken(word) ? token(String(word)) : String(word)
            let space = rest[word.endIndex...].prefix { $0.isWhitespace }
            result += space
            rest = rest[space.endIndex...]
        }
        return result
    }

    /// Returns the replacement of a token. The frame of Expo's tokens stays, because it shows the sender's format.
    static func token(_ text: String) -> String {
        guard text.hasSuffix("]"), let bracket = text.firstIndex(of: "[") else { return replacement }
        return text[...bracket] + replacement + "]"
    }
}
