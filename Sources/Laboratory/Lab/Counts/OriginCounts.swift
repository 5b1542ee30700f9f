import NIOHTTP1

/// The events that the origin has counted. All numbers only grow, except those that are computed as differences.
///
/// A request that is not refused ends in exactly one of three ways: it is finished, it is cut, or its client
/// disconnects. A request that has not ended is open.
package struct OriginCounts: Sendable, Equatable {
    /// The maximum number of paths that are counted separately. Further paths are counted under ``elsewhere``.
    package static let maxPaths = 4096

    /// The maximum number of connections, and of range requests, that are listed separately.
    package static let maxListed = 4096

    package internal(set) var connectionsAccepted = 0
    package internal(set) var connectionsClosed = 0
    /// The number of complete request heads, for all methods and paths, including refused ones.
    package internal(set) var requests = 0
    /// The number of requests by path. The path is as sent: percent-encoded, with its faults, without the query. If the
    /// origin has routes, the host precedes the path.
    package internal(set) var hitsByPath: [String: Int] = [:]
    /// The number of requests on each connection, in the order of acceptance, for the first ``maxListed`` connections.
    package internal(set) var requestsByConnection: [Int] = []
    /// The first ``maxListed`` requests with `Range`, in their order, each with its path and its header as sent.
    package internal(set) var rangesAsked: [RangeAsked] = []
    /// The number of requests with a condition of RFC 9110, section 13.1, including `If-Range`.
    package internal(set) var requestsConditional = 0
    /// The number of requests with an `Authorization` header.
    package internal(set) var requestsAuthorized = 0
    /// The number of requests for paths that are not in ``hitsByPath``, because it was full.
    package internal(set) var elsewhere = 0
    /// The number of refused requests: malformed or too long heads, bodies, methods other than GET and HEAD, and
    /// malformed paths.
    package internal(set) var requestsRefused = 0
    /// The number of replies that were begun, by status, including refusals. A reply whose head stalls is counted too.
    package internal(set) var repliesByStatus: [Int: Int] = [:]
    /// The number of replies, including refusals, whose last byte the kernel has accepted.
    package internal(set) var responsesFinished = 0
    /// The number of replies that the origin itself broke off: truncated, reset, or shorter than announced.
    package internal(set) var responsesCut = 0
    /// The number of replies that have begun to stall. A later disconnect is counted in addition.
    package internal(set) var stallsReached = 0
    /// The number of clients that closed their connection, in any way, before they had all bytes.
    package internal(set) var disconnectsBeforeFinish = 0
    /// Whether the origin itself closes its connections. Their ends are then no disconnects of clients.
    var isStopping = false

    package var connectionsOpen: Int { connectionsAccepted - connectionsClosed }

    package init() {}

    /// Returns the number of requests for `path`, which has the form of ``hitsByPath``.
    package func hits(_ path: String) -> Int { hitsByPath[path, default: 0] }

    /// Returns the values of `Range` in requests for `path`, in their order.
    package func ranges(_ path: String) -> [String] { rangesAsked.filter { $0.path == path }.map(\.range) }

    /// Returns the number of replies with `status`.
    package func replies(_ status: Int) -> Int { repliesByStatus[status, default: 0] }

    /// Counts a connection, and returns its number, from 1.
    mutating func countConnection() -> Int {
        connectionsAccepted += 1
        if requestsByConnection.count < Self.maxListed { requestsByConnection.append(0) }
        return connectionsAccepted
    }

    /// Counts a request, and returns its number among the requests with its key, from 1.
    mutating func countRequest(_ head: HTTPRequestHead, as path: String, onConnection connection: Int) -> Int {
        requests += 1
        if connection <= requestsByConnection.count { requestsByConnection[connection - 1] += 1 }
        if head.headers.contains(name: "Authorization") { requestsAuthorized += 1 }
        if RequestConditions.areThere(in: head.headers) { requestsConditional += 1 }
        if let range = head.headers.first(name: "Range"), rangesAsked.count < Self.maxListed {
            rangesAsked.append(RangeAsked(path: path, range: range))
        }
        guard hitsByPath[path] != nil || hitsByPath.count < Self.maxPaths else {
            elsewhere += 1
            return elsewhere
        }
        hitsByPath[path, default: 0] += 1
        return hits(path)
    }
}

/// A request for a part of a file.
package struct RangeAsked: Sendable, Equatable {
    /// The path, as in ``OriginCounts/hitsByPath``.
    package let path: String
    /// The value of `Range` as sent.
    package let range: String
}
