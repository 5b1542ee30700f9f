package import Base
import NotificationModel

/// A URL that the policy has accepted, in the form in which it is requested. Only `FetchPolicy` creates it.
///
/// The validation and the connection use the same values. Two spellings of one URL are equal in this form.
package final class ValidatedURL: Sendable, Hashable {
    /// The absolute URL in ASCII, with the host as in `host`, and without credentials, fragment and default port.
    package let text: String
    /// The scheme, in lower case.
    package let scheme: String
    /// The host. A name is in the ASCII form of DNS, in lower case and without the final dot. An address is in its
    /// standard text form without brackets.
    package let host: String
    /// The port, 1 to 65535. The value is the default port of the scheme if the URL has no port.
    package let port: UInt16
    /// The host and the port. An IPv6 address is in brackets.
    package let hostAndPort: String
    /// The origin, for example `https://cdn.example:8443`. The origin always includes the port.
    let origin: String
    /// The address in the URL; `nil` if the URL has a name, which must be resolved.
    package let address: IPAddress?
    /// Whether the name belongs to internal networks. Each of its addresses must then be in an allowed range.
    let isInside: Bool

    /// Creates a URL from its parsed parts. Throws `invalidURL` if libcurl reads the URL differently than the
    /// validation, or if it is too long in ASCII.
    init(_ url: WebURL, isInside: Bool) throws(MediaFailure) {
        scheme = url.scheme
        host = url.host.text
        port = url.effectivePort
        address = url.host.address
        hostAndPort = url.hostAndPort
        origin = url.origin
        text = try Self.asRequested(url)
        self.isInside = isInside
        guard text.utf8.count <= WebURL.maxLength else {
            throw MediaFailure(.invalidURL, WebURLError.tooLong.description)
        }
    }

    package var isSecure: Bool { scheme == "https" }

    /// Compares the text, which contains all other parts, and `isInside`, which depends on the policy.
    package static func == (left: ValidatedURL, right: ValidatedURL) -> Bool {
        left.text == right.text && left.isInside == right.isInside
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Returns the assembled URL after a check that libcurl reads it as it was validated. A plain URL needs no check.
    private static func asRequested(_ url: WebURL) throws(MediaFailure) -> String {
        let written = url.text
        if url.isPlain { return written }
        let read = try CurlURL(written)
        guard let text = read.text, text.hasPrefix(url.shortOrigin + "/"), text.utf8.allSatisfy({ $0 < 0x80 }),
            read.scheme == url.scheme, read.host == url.host.textInURL, !read.hasCredentials
        else { throw MediaFailure(.invalidURL, "the URL can be read in more than one way") }
        return text
    }
}
