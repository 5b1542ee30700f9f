import Authentication
import Base
import HTTPTypes
import NIOCore
import NotificationModel

/// A group of routes of one feature, which documents and error responses list together.
package struct RouteGroup: Sendable {
    /// The order of the groups in documents and error responses.
    package enum Chapter: Int, Sendable {
        case submission, batches, requests, events, status, warming, cache, media, monitoring, lists, receipts,
            callbacks
        case erasures, recipients, messages, matrix, other
    }

    let chapter: Chapter
    let routes: [Route]

    package init(_ chapter: Chapter, _ routes: [Route]) { (self.chapter, self.routes) = (chapter, routes) }
}

/// The routes of a server. Error responses, suggestions of paths and the OpenAPI document follow from the table.
final class RouteTable: Sendable {
    /// All routes. Error responses list paths and methods in this order.
    let routes: [Route]
    /// The paths of all routes, each of them once.
    let paths: [PathPattern]
    /// The protocol of others to which some routes belong.
    let foreign: (any ForeignAPI)?
    /// The route that has prepared responses.
    let preparing: Route?
    private let madeDocument = Guarded<ByteBuffer?>(nil)

    init(_ groups: [RouteGroup]) {
        // The sort keeps the order of groups with the same chapter.
        let routes = groups.sorted { $0.chapter.rawValue < $1.chapter.rawValue }.flatMap(\.routes)
        self.routes = routes
        paths = routes.reduce(into: []) { paths, route in if !paths.contains(route.path) { paths.append(route.path) } }
        foreign = routes.lazy.compactMap(\.foreign).first
        preparing = routes.first { $0.prepared != nil }
        foreign?.reserve(paths)
    }

    /// The OpenAPI document of the routes, in one buffer that all responses share.
    var document: ByteBuffer {
        madeDocument.withLock { made in
            let document = made ?? ByteBuffer(bytes: JSONWriter.bytes(of: OpenAPIDocument.json(of: self)))
            made = document
            return document
        }
    }

    /// Returns the route of a request, and its target, without side effects.
    func route(of head: HTTPRequest) throws(Problem) -> (route: Route, target: RequestTarget) {
        let target = try RequestTarget(head.path ?? "")
        let matches = routes.filter { $0.path.matches(target.segments) }
        guard !matches.isEmpty else { throw Problem(.notFound, suggestion(for: target.segments)) }
        guard let route = matches.first(where: { $0.methods.contains(head.method) }) else {
            let names = matches.flatMap(\.methods).map(\.rawValue).joined(separator: ", ")
            throw Problem(.wrongMethod, "The methods of this path are \(names).", headers: [.allow: names])
        }
        return (route, target)
    }

    /// Reads the arguments of a request to a route in its head, and returns its handler, without side effects.
    func handler(of route: Route, for head: HTTPRequest, to target: RequestTarget, from caller: Caller) throws(Problem)
        -> Route.Handler
    {
        var target = target
        if let parameters = route.parameters {
            try target.readParameters(known: parameters.filter { $0.place == .query }.map(\.name))
        }
        return try route.handler(
            RouteArguments(head: head, target: target, path: route.path, caller: caller, table: self))
    }

    /// The maximum number of segments of a compared path. A longer path is not a spelling mistake.
    private static let maxSegments = 6

    /// Returns the sentence for an unknown path, with a suggestion if a path is similar.
    ///
    /// - Parameter segments: The segments of the unknown path.
    func suggestion(for segments: [String]) -> String {
        let known = paths.map(\.description).joined(separator: ", ")
        guard segments.count <= Self.maxSegments, let near = nearest(to: segments) else {
            return "There is no such path. The paths are \(known)."
        }
        return "There is no such path. Did you mean \(near)? The paths are \(known)."
    }

    private func nearest(to segments: [String]) -> PathPattern? {
        // An empty last segment comes from a superfluous slash.
        let called = segments.filter { !$0.isEmpty }
        guard !called.isEmpty else { return nil }
        for withoutVersion in [called, ["v1"] + called] {
            let candidates = paths.filter { path in
                path.matches(withoutVersion) { $0 == $1 || NearestWord.related(to: $1, among: [$0]) != nil }
            }
            // A path without a parameter is the more exact match.
            if let path = candidates.min(by: { !$0.hasParameter && $1.hasParameter }) { return path }
        }
        return nil
    }
}
