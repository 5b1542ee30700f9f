import Authentication
import HTTPTypes
import HummingbirdCore
import NotificationModel

/// The routes of the HTTP API. Parsing, error responses, metrics, suggestions of paths and the OpenAPI document follow
/// from this table.
enum RouteTable {
    /// The path of batches, whose bodies may have many short lines.
    static let batchPath: PathPattern = "/v1/notifications:batch"
    /// The path of renditions, which phones download.
    static let mediaPath: PathPattern = "/v1/media/{group}/{file}"

    /// All routes. Error responses list paths and methods in this order.
    static let routes =
        ownRoutes + reportRoutes + listRoutes + receiptRoutes + callbackRoutes + erasureRoutes + recipientRoutes
        + messageRoutes
        + matrixRoutes

    private static let ownRoutes: [Route] = [
        Route(
            method: .post, path: "/v1/notifications", operation: "submitNotification", scope: .submit,
            parameters: [.group, .prefer, .idempotencyKey, .requestTimeout], body: .init(), example: .notification,
            concernsRequests: true, metric: "submit", summary: "Processes a payload and returns its result.",
            outputs: [.result, .accepted],
            problems: [.notJSON, .unusable, .idInUse, .tooLarge, .full, .storageFailed]
        ) { arguments throws(Problem) in
            let group = try arguments.group()
            var options = try SubmitOptions(arguments.head, group: group)
            options.permittedGroups = arguments.caller.groups
            return { [options] handlers, input throws(Problem) in try await handlers.submit(options, consume input) }
        },
        Route(
            method: .post, path: batchPath, operation: "submitBatch", scope: .submit,
            parameters: [.group, .dryRun, .preferAsync, .batchKey, .requestTimeout], body: .init(isStreamed: true),
            example: .batch, concernsRequests: true, metric: "batch",
            summary: "Processes a request in each line, and writes each result when it is complete.",
            outputs: [.resultLines, .batchAccepted],
            problems: [.idInUse, .tooLarge, .full, .storageFailed, .oldHTTP]
        ) { arguments throws(Problem) in
            let options = try BatchOptions(arguments)
            return { handlers, input throws(Problem) in try await handlers.submitBatch(options, consume input) }
        },
        Route(
            method: .get, path: "/v1/batches/{id}", operation: "getBatch", scope: .read, parameters: [.batchID],
            concernsRequests: true, metric: "look", summary: "Returns the state and the counts of a stored batch.",
            outputs: [.batchState]
        ) { arguments throws(Problem) in
            let (id, caller) = (try arguments.requestID(), arguments.caller)
            return { handlers, _ throws(Problem) in .response(try await handlers.lookAtBatch(id, of: caller)) }
        },
        Route(
            method: .get, path: "/v1/batches/{id}/results", operation: "getBatchResults", scope: .read,
            parameters: [.batchID, .after], concernsRequests: true, metric: "results",
            summary: "Returns the results of a stored batch that exist already.", outputs: [.resultLines],
            problems: [.oldHTTP]
        ) { arguments throws(Problem) in
            let (id, count, caller) = (try arguments.requestID(), try arguments.after(), arguments.caller)
            return { handlers, _ throws(Problem) in
                try await handlers.batchResults(id, after: count, of: caller)
            }
        },
        Route(
            method: .delete, path: "/v1/batches/{id}", operation: "cancelBatch", scope: .cancel,
            parameters: [.batchID], concernsRequests: true, metric: "cancel",
            summary: "Cancels the requests of a stored batch that are not emitted yet.", outputs: [.batchCancelled],
            problems: [.alreadyEmitted]
        ) { arguments throws(Problem) in
            let (id, caller) = (try arguments.requestID(), arguments.caller)
            return { handlers, _ throws(Problem) in .response(try await handlers.cancelBatch(id, of: caller)) }
        },
        Route(
            method: .get, path: "/v1/notifications/{id}", operation: "getNotification", scope: .read,
            parameters: [.id, .group, .wait], concernsRequests: true, metric: "look",
            summary: "Returns the state or the result of a request.", outputs: [.stateOrResult]
        ) { arguments throws(Problem) in
            let (key, wait) = (try arguments.key(), try arguments.wait())
            return { handlers, input throws(Problem) in
                try await handlers.look(at: key, waiting: wait, unless: input.gone)
            }
        },
        Route(
            method: .delete, path: "/v1/notifications/{id}", operation: "cancelNotification", scope: .cancel,
            parameters: [.id, .group, .by], concernsRequests: true, metric: "cancel",
            summary: "Cancels a request, or all requests with a provider's id.", outputs: [.cancelled, .done],
            problems: [.alreadyEmitted]
        ) { arguments throws(Problem) in
            switch try arguments.target.parameter("by") {
            case nil, "id":
                let key = try arguments.key()
                return { handlers, _ throws(Problem) in .response(try await handlers.cancel(key)) }
            case "provider":
                let (id, group, groups) = (arguments.id, try arguments.group(), arguments.caller.groups)
                return { handlers, _ throws(Problem) in
                    .response(try await handlers.cancel(providerID: id, in: group, of: groups))
                }
            case let other?: throw .parameter("by", "is \"\(other)\", which is neither id nor provider.")
            }
        },
        Route(
            method: .get, path: "/v1/notifications/{id}/events", operation: "streamNotificationEvents",
            scope: .events, parameters: [.id, .group, .lastEventID], concernsRequests: true, metric: "events",
            summary: "Streams the events of one request until its emission.", outputs: [.events],
            problems: [.full, .oldHTTP]
        ) { arguments throws(Problem) in
            let (key, last, caller) = (try arguments.key(), try arguments.lastEventID(), arguments.caller)
            return { handlers, _ throws(Problem) in .events(try await handlers.feed(of: key, after: last, for: caller))
            }
        },
        Route(
            method: .get, path: "/v1/events", operation: "streamEvents", scope: .events,
            parameters: [.eventGroup, .outcome, .eventRecipient, .eventThread, .eventsFrom, .lastEventID],
            metric: "events",
            summary: "Streams the events of all requests, or of some of them.", outputs: [.events],
            problems: [.full, .oldHTTP]
        ) { arguments throws(Problem) in
            let (filter, start) = (try arguments.eventFilter(), try arguments.time("from"))
            let (last, caller) = (try arguments.lastEventID(), arguments.caller)
            return { handlers, _ throws(Problem) in
                .events(try await handlers.feed(filter, after: last, from: start, for: caller))
            }
        },
        Route(
            method: .get, path: "/v1/status", operation: "getStatus", scope: .admin, metric: "status",
            summary: "Returns the load and the state of the daemon.", outputs: [.status]
        ) { arguments in
            let groups = arguments.caller.groups
            return { handlers, _ in .response(handlers.status(for: groups)) }
        },
        Route(
            method: .post, path: "/v1/warm", operation: "warmMedia", scope: .warm,
            body: .init(isKept: true), example: .warmLine, metric: "warm",
            summary: "Prepares media, and writes a line for each item when it is complete.", outputs: [.lines],
            problems: [.tooLarge, .full, .oldHTTP]
        ) { arguments throws(Problem) in
            let groups = arguments.caller.groups
            return { handlers, input throws(Problem) in try handlers.warm(consume input, in: groups) }
        },
        Route(
            // The body contains only one target.
            method: .post, path: "/v1/cache/purge", operation: "purgeCache", scope: .admin,
            body: .init(mostBytes: 64 << 10), example: .purge, metric: "purge",
            summary: "Removes the media of URLs from all caches.", outputs: [.purged],
            problems: [.notJSON, .tooLarge, .storageFailed]
        ) { arguments throws(Problem) in
            try arguments.checkAllGroups("A purge concerns")
            return { handlers, input throws(Problem) in .response(try await handlers.purge(input.body)) }
        },
        Route(
            method: .get, path: mediaPath, operation: "downloadMedia", scope: nil,
            parameters: [.groupInPath, .mediaFile, .expires, .signature], isPublic: true, metric: "media",
            summary: "Returns a rendition. Its URL is the `publicURL` of an attachment.",
            outputs: [.media, .mediaPart, .notModified], problems: [.forbidden, .otherVersion, .noSuchRange]
        ) { arguments throws(Problem) in
            let (head, caller) = (arguments.head, arguments.caller)
            let address = try arguments.mediaAddress()
            let query = (
                end: try arguments.target.parameter("expires"), signature: try arguments.target.parameter("signature")
            )
            return { handlers, _ throws(Problem) in
                guard let media = handlers.media else { throw .noMedia }
                return try await media.answer(to: head, for: address, query, from: caller)
            }
        },
        Route(
            method: .options, path: mediaPath, operation: "preflightMedia", scope: nil,
            parameters: [.groupInPath, .mediaFile, .expires, .signature], isPublic: true, metric: "media",
            summary: "Permits pages of all origins to read a rendition.", outputs: [.permitted]
        ) { arguments throws(Problem) in
            _ = try arguments.mediaAddress()
            return { _, _ in
                var response = Response.noContent
                response.headers.append(contentsOf: MediaServing.preflight)
                return .response(response)
            }
        },
        Route(
            method: .get, path: "/problems/{kind}", operation: "getProblem", scope: nil, parameters: [.kind],
            metric: "problem", summary: "Explains a kind of problem. Its path is the `type` of a problem.",
            outputs: [.page]
        ) { arguments throws(Problem) in
            let kind = try arguments.problemKind()
            return { _, _ in .response(.text(kind.text, type: "text/markdown; charset=utf-8")) }
        },
        // Health checks ignore the query, because some clients add a parameter to bypass caches.
        Route(
            method: .get, path: "/healthz", operation: "getHealth", scope: nil, parameters: nil, isForMonitoring: true,
            metric: "health", summary: "Answers while the daemon runs.", outputs: [.text]
        ) { _ in { _, _ in .response(.text("ok\n")) } },
        Route(
            method: .get, path: "/readyz", operation: "getReadiness", scope: nil, parameters: nil,
            isForMonitoring: true, metric: "readiness", summary: "Answers whether the daemon accepts requests.",
            outputs: [.text, .notReady]
        ) { _ in { handlers, _ in .response(handlers.readiness) } },
        Route(
            method: .get, path: "/metrics", operation: "getMetrics", scope: .admin, parameters: nil,
            isForMonitoring: true, metric: "metrics",
            summary: "Returns the metrics in the text format of Prometheus.", outputs: [.text],
            problems: [.forbidden]
        ) { arguments throws(Problem) in
            try arguments.checkAllGroups("The figures concern")
            return { handlers, _ in .response(handlers.metrics) }
        },
        Route(
            method: .get, path: "/openapi.json", operation: "getOpenAPI", scope: nil, parameters: nil,
            metric: "openapi", summary: "Returns this description of the API.", outputs: [.openAPI]
        ) { _ in { _, _ in .response(.json(OpenAPIDocument.json)) } },
    ]

    /// The paths of all routes, each of them once.
    static let paths: [PathPattern] = routes.reduce(into: []) { paths, route in
        if !paths.contains(route.path) { paths.append(route.path) }
    }

    /// Returns the route of a request, and its target, without side effects.
    static func route(of head: HTTPRequest) throws(Problem) -> (route: Route, target: RequestTarget) {
        let target = try RequestTarget(head.path ?? "")
        let matches = routes.filter { $0.path.matches(target.segments) }
        guard !matches.isEmpty else { throw Problem(.notFound, RouteSuggestion.text(for: target.segments)) }
        guard let route = matches.first(where: { $0.methods.contains(head.method) }) else {
            let names = matches.flatMap(\.methods).map(\.rawValue).joined(separator: ", ")
            throw Problem(.wrongMethod, "The methods of this path are \(names).", headers: [.allow: names])
        }
        return (route, target)
    }
}

extension Route {
    /// Reads the arguments of a request in its head, and returns its handler, without side effects.
    func handler(
        of head: HTTPRequest, to target: RequestTarget, from caller: Caller
    ) throws(Problem) -> Handler {
        var target = target
        if let parameters {
            try target.readParameters(known: parameters.filter { $0.place == .query }.map(\.name))
        }
        return try handler(RouteArguments(head: head, target: target, path: path, caller: caller))
    }
}
