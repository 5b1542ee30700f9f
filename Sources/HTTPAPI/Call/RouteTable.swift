import HTTPTypes

/// The routes of the HTTP API. Parsing, error responses, metrics and suggestions of paths follow from this table.
enum RouteTable {
    /// All routes. Error responses list paths and methods in this order.
    static let routes: [Route] = [
        Route(
            method: .post, path: "/v1/notifications", parameters: ["group"], body: .init(), concernsRequests: true,
            metric: "submit", summary: "Processes a payload and returns its result."
        ) { arguments throws(Problem) in
            let options = try SubmitOptions(arguments.head, group: try arguments.group())
            return { handlers, input throws(Problem) in try await handlers.submit(options, consume input) }
        },
        Route(
            method: .get, path: "/v1/notifications/{id}", parameters: ["group"], concernsRequests: true,
            metric: "look", summary: "Returns the state or the result of a request."
        ) { arguments throws(Problem) in
            let key = try arguments.key()
            return { handlers, _ throws(Problem) in .response(try await handlers.look(at: key)) }
        },
        Route(
            method: .delete, path: "/v1/notifications/{id}", parameters: ["group", "by"], concernsRequests: true,
            metric: "cancel", summary: "Cancels a request, or all requests with a provider's id."
        ) { arguments throws(Problem) in
            switch try arguments.target.parameter("by") {
            case nil, "id":
                let key = try arguments.key()
                return { handlers, _ throws(Problem) in .response(try await handlers.cancel(key)) }
            case "provider":
                let group = try arguments.group()
                return { [id = arguments.id] handlers, _ throws(Problem) in
                    .response(try await handlers.cancel(providerID: id, in: group))
                }
            case let other?: throw .parameter("by", "is \"\(other)\", which is neither id nor provider.")
            }
        },
        Route(
            method: .get, path: "/v1/notifications/{id}/events", parameters: ["group"], concernsRequests: true,
            metric: "events", summary: "Streams the events of one request until its emission."
        ) { arguments throws(Problem) in
            let (key, last) = (try arguments.key(), try arguments.lastEventID())
            return { handlers, _ throws(Problem) in .events(try await handlers.feed(of: key, after: last)) }
        },
        Route(
            method: .get, path: "/v1/events", metric: "events", summary: "Streams the events of all requests."
        ) { arguments throws(Problem) in
            let last = try arguments.lastEventID()
            return { handlers, _ throws(Problem) in .events(try handlers.feed(after: last)) }
        },
        Route(
            method: .get, path: "/v1/status", metric: "status", summary: "Returns the load and the state of the daemon."
        ) { _ in { handlers, _ in .response(handlers.status) } },
        Route(
            method: .post, path: "/v1/warm", body: .init(isKept: true), metric: "warm",
            summary: "Prepares media, and writes a line for each item when it is complete."
        ) { _ in { handlers, input throws(Problem) in try handlers.warm(consume input) } },
        Route(
            // The body contains only one target.
            method: .post, path: "/v1/cache/purge", body: .init(mostBytes: 64 << 10), metric: "purge",
            summary: "Removes the media of URLs from all caches."
        ) { _ in { handlers, input throws(Problem) in .response(try await handlers.purge(input.body)) } },
        // Health checks ignore the query, because some clients add a parameter to bypass caches.
        Route(
            method: .get, path: "/healthz", parameters: nil, metric: "health", summary: "Answers while the daemon runs."
        ) { _ in { _, _ in .response(.text("ok\n")) } },
        Route(
            method: .get, path: "/readyz", parameters: nil, metric: "readiness",
            summary: "Answers whether the daemon accepts requests."
        ) { _ in { handlers, _ in .response(handlers.readiness) } },
        Route(
            method: .get, path: "/metrics", parameters: nil, metric: "metrics",
            summary: "Returns the metrics in the text format of Prometheus."
        ) { _ in { handlers, _ in .response(handlers.metrics) } },
    ]

    /// The paths of all routes, each of them once.
    static let paths: [PathPattern] = routes.reduce(into: []) { paths, route in
        if !paths.contains(route.path) { paths.append(route.path) }
    }

    /// Reads the head of a request, without side effects.
    static func match(_ head: HTTPRequest) throws(Problem) -> (route: Route, handler: Route.Handler) {
        var target = try RequestTarget(head.path ?? "")
        let matches = routes.filter { $0.path.matches(target.segments) }
        guard !matches.isEmpty else { throw Problem(.notFound, RouteSuggestion.text(for: target.segments)) }
        guard let route = matches.first(where: { $0.methods.contains(head.method) }) else {
            let names = matches.flatMap(\.methods).map(\.rawValue).joined(separator: ", ")
            throw Problem(.wrongMethod, "The methods of this path are \(names).", headers: [.allow: names])
        }
        if let known = route.parameters { try target.readParameters(known: known) }
        return (route, try route.handler(RouteArguments(head: head, target: target, path: route.path)))
    }
}
