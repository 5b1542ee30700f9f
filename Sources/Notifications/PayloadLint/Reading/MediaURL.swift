package import Base
package import NotificationModel

/// The URL of a media item as the payload contains it, split into its parts without any repair (RFC 3986 §3).
struct MediaURL {
    enum Problem: Equatable {
        case hasSpace
        /// The URL has a control between other characters, which is refused.
        case hasControl(InvisibleCharacters.Finding)
        /// The URL has a character that is invisible, apart from spaces. At the ends, it is left out.
        case hasInvisible(InvisibleCharacters.Finding)
        /// The URL has `\\/`.
        case hasEscapedSlash
        /// The URL contains this scalar, which must be percent-encoded.
        case hasForeign(Unicode.Scalar)
        case isRelative
        case hasNoHost
        case hasBadHost
        case hasBadPort
        case hasBadPercent
    }

    /// The scheme in lower case. The value is `nil` if the URL is relative.
    let scheme: String?
    let host: String?
    let hasCredentials: Bool
    /// The last extension of the path in lower case, without the dot. The value is `nil` if the path has no extension.
    let fileExtension: String?
    let problem: Problem?

    init(_ text: String) {
        let reference = URIReference(text)
        let place = reference.hostAndPort
        scheme = reference.scheme
        host = place.flatMap { $0.host.isEmpty ? nil : $0.host.lowercased() }
        hasCredentials = reference.hasUserInformation
        fileExtension = Self.fileExtension(of: reference.path)
        problem =
            Self.letterProblem(of: text)
            ?? (scheme == nil ? .isRelative : ["http", "https"].contains(scheme) ? Self.webProblem(place) : nil)
    }

    private static func webProblem(_ place: HostAndPort?) -> Problem? {
        guard let place, !place.host.isEmpty else { return .hasNoHost }
        guard let bracket = place.host.firstIndex(of: "]"), place.host.first == "[" else {
            return isName(place.host) ? portProblem(place) : .hasBadHost
        }
        guard IPAddress(bracketed: place.host[...bracket]) != nil else { return .hasBadHost }
        return bracket == place.host.indices.last ? portProblem(place) : .hasBadPort
    }

    /// Returns the problem of a port. A port may be missing, empty, or 1 to 65,535.
    private static func portProblem(_ place: HostAndPort) -> Problem? {
        guard let port = place.port, !port.isEmpty else { return nil }
        return place.portNumber.map { $0 > 0 } == true ? nil : .hasBadPort
    }

    /// Returns whether the text has the form of a host name. The resolver looks up names in other scripts in their
    /// ASCII form. A final dot stands for the DNS root.
    private static func isName(_ host: Substring) -> Bool {
        host.utf8.first != UInt8(ascii: ".")
            && host.utf8.allSatisfy {
                $0 >= 0x80 || $0.isASCIILetter || $0.isASCIIDigit || "-._".utf8.contains($0)
            }
    }

    private static func letterProblem(of text: String) -> Problem? {
        if let found = InvisibleCharacters.first(in: text) {
            guard case .after = found.place, found.scalar.isASCII else { return .hasInvisible(found) }
            return .hasControl(found)
        }
        if text.contains("\\/") { return .hasEscapedSlash }
        for scalar in text.unicodeScalars {
            switch scalar {
            case " ": return .hasSpace
            case "\"", "<", ">", "\\", "^", "`", "{", "|", "}", "\u{FFFD}": return .hasForeign(scalar)
            default: continue
            }
        }
        return PercentEncoding.isWellFormed(text) ? nil : .hasBadPercent
    }

    private static func fileExtension(of path: Substring) -> String? {
        let bytes = path.utf8
        let name = bytes[(bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes.index(after: $0) } ?? bytes.startIndex)...]
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return nil }
        let letters = name[dot...].dropFirst()
        guard (1...8).contains(letters.count), letters.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit }) else {
            return nil
        }
        return Substring(letters).lowercased()
    }
}

package enum MediaFact: Sendable, Equatable {
    case failed(MediaFailure)
    /// The media item was fetched.
    ///
    /// - Parameter format: The format of the first bytes. `nil` means that the format is unknown.
    /// - Parameter declaredType: The `Content-Type` of the origin. `nil` if it is missing.
    case fetched(byteCount: Int, format: MediaFormat?, declaredType: String?)
}
