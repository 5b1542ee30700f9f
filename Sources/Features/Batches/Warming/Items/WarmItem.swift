package import Base
import Digests
package import FoundationEssentials
package import NotificationModel

/// One item of a batch: a media URL or a payload, and the profiles for which its renditions are made.
///
/// The type is a class, because queues hold thousands of items, and a structure would make their elements large.
package final class WarmItem: Sendable {
    package enum Request: Sendable, Equatable {
        case url(String)
        /// A payload of any dialect, or an envelope.
        case payload(JSONObject)
    }

    package let request: Request
    /// The profiles. Renditions are made for each of them.
    package let profiles: [MediaProfile]
    package let appGroup: AppGroupName
    /// The date until which the renditions are kept; `nil` if they are kept as long as other renditions.
    package let keepUntil: Date?
    /// The source and the line of the item, such as `urls.txt:12`.
    package let place: String
    /// The host of the first media item, with its port; empty if there is no host.
    package let host: String
    package let key: WarmKey

    /// - Parameter keep: The time in `keepUntil` as the item has it. It is a part of the key.
    package init(
        _ request: Request, profiles: [MediaProfile], appGroup: AppGroupName, keepUntil: Date? = nil, keep: String = "",
        place: String, host: String
    ) {
        self.request = request
        self.profiles = profiles
        self.appGroup = appGroup
        self.keepUntil = keepUntil
        self.place = place
        self.host = host
        let asked =
            switch request {
            case .url(let url): ["url", url]
            case .payload(let payload): ["payload", JSONWriter.text(of: .object(payload))]
            }
        key = WarmKey(asked + [appGroup.description, keep] + profiles.map(\.name))
    }

    /// The name of the item in reports: its URL without credentials and query, or the position of its payload.
    package var name: String {
        switch request {
        case .url(let url): MediaHost.shown(url)
        case .payload: place
        }
    }
}

/// A part of a source that is not a valid item.
package struct WarmProblem: Error, Sendable, Equatable {
    /// The place of the problem, as in `WarmItem.place`.
    package var place: String
    /// A phrase that follows the position in a message.
    package var text: String
}

/// The parts of a URL that a batch needs before the URL is validated.
package enum MediaHost {
    /// Returns the host and the port of a URL, in lower case, such as `cdn.example` or `127.0.0.1:8499`. The default
    /// port of the scheme is left out. The text is empty for a URL without a host, such as a `data:` URL.
    package static func of(_ url: String) -> String {
        InlineMedia.isReference(url) ? "" : UncheckedURL(url).hostAndOwnPort ?? ""
    }

    /// Returns a URL as reports show it: without credentials, query and fragment, and with at most 200 characters.
    package static func shown(_ url: String) -> String {
        VisibleText.short(UncheckedURL(InlineMedia.shown(url)).redacted, most: 200)
    }
}

/// The digest that identifies an item in a journal: 128 bits of a SHA-256.
package struct WarmKey: Sendable, Hashable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// Creates the key of texts in their order. The same characters with other boundaries between the texts result in
    /// another key.
    package init(_ parts: [String]) {
        var hash = SHA256()
        for part in parts {
            let bytes = Array(part.utf8)
            let prefix = Array("\(bytes.count):".utf8)
            hash.update(prefix.span)
            hash.update(bytes.span)
        }
        let digest = hash.finalize()
        high = Self.number(digest[..<8])
        low = Self.number(digest[8..<16])
    }

    /// Parses a key in the form of `description`.
    package init?(_ text: String) {
        guard text.utf8.count == 32, let high = UInt64(text.prefix(16), radix: 16),
            let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        self.high = high
        self.low = low
    }

    /// The key as 32 hexadecimal digits.
    package var description: String { high.hexadecimal(digits: 16) + low.hexadecimal(digits: 16) }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
