import NIOHTTP1

/// What the origin has seen so far. Every number only ever grows, but for those that are differences.
///
/// A request that is not refused ends in exactly one of: finished, cut, or a disconnect; until then it is open.
package struct OriginCounts: Sendable, Equatable {
    /// Paths past so many are counted together, under ``elsewhere``: a client that makes paths up costs no memory.
    package static let mostPaths = 4096

    /// Connections past so many, and requests for a range past so many, are not told apart.
    package static let mostListed = 4096

    package internal(set) var connectionsAccepted = 0
    package internal(set) var connectionsClosed = 0
    /// Complete request heads, of any method and path, refused or not.
    package internal(set) var requests = 0
    /// Requests by path, as sent (percent-encoded, faults and all) without the query.
    package internal(set) var hitsByPath: [String: Int] = [:]
    /// Requests on each connection, in the order in which they were accepted; the first ``mostListed`` of them.
    package internal(set) var requestsByConnection: [Int] = []
    /// What was asked for with `Range`, in order, as sent; the first ``mostListed``.
    package internal(set) var rangesAsked: [RangeAsked] = []
    /// Requests with one of the conditions of RFC 9110, section 13.1, `If-Range` included.
    package internal(set) var requestsConditional = 0
    /// Requests with an `Authorization` field.
    package internal(set) var requestsAuthorized = 0
    /// Requests for paths that found no room in ``hitsByPath``.
    package internal(set) var elsewhere = 0
    /// Heads that were no HTTP or too long, requests with a body, methods other than GET and HEAD, malformed paths.
    package internal(set) var requestsRefused = 0
    /// Replies that were begun, refusals among them, by status; one whose head stalls counts like one that comes.
    package internal(set) var repliesByStatus: [Int: Int] = [:]
    /// Replies of which the last byte went to the kernel, refusals among them.
    package internal(set) var responsesFinished = 0
    /// Replies that the origin itself broke off: truncate, reset, a promised length that never came.
    package internal(set) var responsesCut = 0
    /// Replies that have come to their silence; a later disconnect counts too.
    package internal(set) var stallsReached = 0
    /// Clients that left, orderly or not, while they were owed bytes.
    package internal(set) var disconnectsBeforeFinish = 0

    package var connectionsOpen: Int { connectionsAccepted - connectionsClosed }

    package init() {}

    /// How often `path` was asked for: a path as in ``hitsByPath``.
    package func hits(_ path: String) -> Int { hitsByPath[path, default: 0] }

    /// The values of `Range` that came with requests for `path`, in order.
    package func ranges(_ path: String) -> [String] { rangesAsked.filter { $0.path == path }.map(\.range) }

    /// How often `status` was answered.
    package func replies(_ status: Int) -> Int { repliesByStatus[status, default: 0] }

    /// Counts a connection; returns its number, from 1.
    mutating func countConnection() -> Int {
        connectionsAccepted += 1
        if requestsByConnection.count < Self.mostListed { requestsByConnection.append(0) }
        return connectionsAccepted
    }

    /// Counts a request; returns the number of this one among those for its path, from 1.
    mutating func countRequest(_ head: HTTPRequestHead, onConnection connection: Int) -> Int {
        let path = OriginRequestPath.path(of: head.uri)
        requests += 1
        if connection <= requestsByConnection.count { requestsByConnection[connection - 1] += 1 }
        if head.headers.contains(name: "Authorization") { requestsAuthorized += 1 }
        if RequestConditions.areThere(in: head.headers) { requestsConditional += 1 }
        if let range = head.headers.first(name: "Range"), rangesAsked.count < Self.mostListed {
            rangesAsked.append(RangeAsked(path: path, range: range))
        }
        guard hitsByPath[path] != nil || hitsByPath.count < Self.mostPaths else {
            elsewhere += 1
            return elsewhere
        }
        hitsByPath[path, default: 0] += 1
        return hits(path)
    }
}

/// A request for a part of something.
package struct RangeAsked: Sendable, Equatable {
    /// As in ``OriginCounts/hitsByPath``.
    package let path: String
    /// The value of `Range`, as sent.
    package let range: String
}
