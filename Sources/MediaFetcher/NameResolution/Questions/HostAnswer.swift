import Base
import NotificationModel

/// The result of a query for a host name.
enum HostAnswer: Sendable, Equatable {
    /// The host has these addresses. The TTL is the shortest of all records that led to the addresses.
    case addresses([IPAddress], ttl: Duration)
    /// The servers reported that the name has no addresses. The value is the sentence for the error.
    case nothing(String)
    /// No server could answer. The value is the sentence for the error.
    case unknown(String)

    /// The minimum time for which addresses are cached, so that a notification makes one query despite a TTL of 0.
    static let shortestTTL: Duration = .seconds(1)
    /// The time for which the absence of a name or of its addresses is cached.
    static let nothingTTL: Duration = .seconds(5)
    /// The time for which a failed query is cached, just long enough that a burst of requests makes one query.
    static let unknownTTL: Duration = .seconds(1)

    /// The answer for a loopback name. If /etc/hosts has no addresses for it, the answer is 127.0.0.1.
    var orLoopback: HostAnswer {
        switch self {
        case .addresses: self
        case .nothing, .unknown: .addresses([.v4(127 << 24 | 1)], ttl: Self.nothingTTL)
        }
    }

    /// Returns the time for which the answer may be cached.
    func ttl(atMost limit: Duration) -> Duration {
        switch self {
        case .addresses(_, let ttl): max(min(ttl, limit), Self.shortestTTL)
        case .nothing: Self.nothingTTL
        case .unknown: Self.unknownTTL
        }
    }

    /// Returns the result for the callers that wait for the name.
    func result(atMost limit: Duration) -> Result<ResolvedHost, MediaFailure> {
        switch self {
        case .addresses(let addresses, _):
            .success(ResolvedHost(addresses: addresses, ttl: ttl(atMost: limit), wasCached: false))
        case .nothing(let words), .unknown(let words): .failure(MediaFailure(.dnsFailed, words))
        }
    }
}

/// A host name in the form in which DNS compares names: lower case, without the final dot.
struct HostName: Sendable, Hashable, CustomStringConvertible {
    let description: String

    /// Creates a host name from labels of 1 to 63 letters, digits, `-` and `_`, with a total of at most 253 bytes (RFC
    /// 1035 §2.3.4); returns `nil` otherwise, because c-ares would read a backslash as an escape and stop at a NUL.
    init?(_ text: String) {
        let name = text.utf8.last == UInt8(ascii: ".") ? String(text.dropLast()) : text
        guard (1...253).contains(name.utf8.count) else { return nil }
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            (1...63).contains(label.count)
                && label.allSatisfy { $0.isASCIILetterOrDigit || "-_".utf8.contains($0) }
        }
        guard isName else { return nil }
        description = name.lowercased()
    }

    /// Whether the name is `localhost` or below it. Such a name is this machine, without a query (RFC 6761 §6.3).
    var isLoopback: Bool { description == "localhost" || description.hasSuffix(".localhost") }
}
