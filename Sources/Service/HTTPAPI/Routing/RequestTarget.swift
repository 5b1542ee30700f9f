import Base

/// The path and the query of a request, decoded (RFC 3986).
///
/// The path is split at its slashes before it is decoded, so a percent-encoded slash is a part of its segment. The query
/// is decoded by `readParameters`, because some routes ignore the query.
package struct RequestTarget: Sendable {
    package let segments: [String]
    private let query: Substring
    /// The parameters of the query; empty until `readParameters` has read them.
    private(set) var parameters: [(name: String, value: String)] = []

    /// Reads a request target. The query is not decoded.
    ///
    /// - Parameter target: The target of the request line, in origin form (`/path?query`).
    package init(_ target: String) throws(Problem) {
        guard target.hasPrefix("/") else {
            throw Problem(
                .badRequest,
                "The target of the request must begin with a slash, or be an http URL (over TLS also an https URL) with a host and no user."
            )
        }
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var segments: [String] = []
        for segment in parts[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            segments.append(try Self.decode(segment))
        }
        self.segments = segments
        query = parts.count == 2 ? parts[1] : ""
    }

    /// Decodes the query, and refuses unknown parameters.
    ///
    /// If a misspelt parameter were ignored, the caller would get another result than it asked for.
    ///
    /// - Parameter known: The names of the permitted parameters.
    package mutating func readParameters(known: [String]) throws(Problem) {
        parameters = []
        for pair in query.split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            parameters.append((try Self.decode(sides[0]), sides.count == 2 ? try Self.decode(sides[1]) : ""))
        }
        guard let unknownKey = parameters.first(where: { !known.contains($0.name) }) else { return }
        let names = known.isEmpty ? "This call has no parameters." : "This call knows \(known.joined(separator: ", "))."
        throw .parameter(unknownKey.name, "is not a parameter of this call. \(names)")
    }

    /// Returns the value of a parameter that may occur once; `nil` if it is missing.
    package func parameter(_ name: String) throws(Problem) -> String? {
        let values = parameters.filter { $0.name == name }
        guard values.count < 2 else { throw .parameter(name, "occurs \(values.count) times: write it once.") }
        return values.first?.value
    }

    private static func decode(_ text: Substring) throws(Problem) -> String {
        do throws(PercentEncoding.DecodingError) { return try PercentEncoding.decode(text) } catch {
            switch error {
            case .malformedEscape:
                throw Problem(.badRequest, "A percent sign in the target is not followed by two digits.")
            case .notUTF8: throw Problem(.badRequest, "The target of the request is not UTF-8.")
            }
        }
    }
}
