/// What the origin has seen so far. Every number only ever grows, but for those that are differences.
///
/// A request that is not refused ends in exactly one of: finished, cut, or a disconnect; until then it is open.
package struct OriginCounts: Sendable, Equatable {
    /// Paths past so many are counted together, under ``elsewhere``: a client that makes paths up costs no memory.
    package static let mostPaths = 4096

    package internal(set) var connectionsAccepted = 0
    package internal(set) var connectionsClosed = 0
    /// Complete request heads, of any method and path, refused or not.
    package internal(set) var requests = 0
    /// Requests by path, as sent (percent-encoded, faults and all) without the query.
    package internal(set) var hitsByPath: [String: Int] = [:]
    /// Requests with an `Authorization` field.
    package internal(set) var requestsAuthorized = 0
    /// Requests for paths that found no room in ``hitsByPath``.
    package internal(set) var elsewhere = 0
    /// Heads that were no HTTP or too long, requests with a body, methods other than GET and HEAD, malformed paths.
    package internal(set) var requestsRefused = 0
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

    /// Counts a request; returns the number of this one among those for its path, from 1.
    mutating func countRequest(for path: String) -> Int {
        requests += 1
        guard hitsByPath[path] != nil || hitsByPath.count < Self.mostPaths else {
            elsewhere += 1
            return elsewhere
        }
        hitsByPath[path, default: 0] += 1
        return hits(path)
    }
}
