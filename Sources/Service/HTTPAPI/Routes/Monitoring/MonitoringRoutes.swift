import Authentication
import Base
import HTTPTypes
import HummingbirdCore
package import NotificationModel

/// The routes about the daemon itself: its state, its health, its reports and its documents. Figures come from the
/// requests of all groups, so only a caller with all groups gets them.
package struct MonitoringRoutes: Sendable {
    let facts: DaemonFacts
    let coordinator: any RequestIntake
    let context: CallContext
    private let metrics: SharedRendering

    package init(_ facts: DaemonFacts, _ coordinator: any RequestIntake, _ context: CallContext) {
        (self.facts, self.coordinator, self.context) = (facts, coordinator, context)
        metrics = SharedRendering(facts.metrics)
    }

    package var status: Route {
        Route(
            method: .get, path: "/v1/status", operation: "getStatus", scope: .admin, metric: "status",
            summary: "Returns the load and the state of the daemon.", outputs: [.status]
        ) { arguments in
            let hasFigures = arguments.caller.groups == .all
            return { _ in .json(facts.status(in: context, load: coordinator.load, withFigures: hasFigures)) }
        }
    }

    package var routes: [Route] { documents + reports }

    /// Health checks ignore the query, because some clients add a parameter to bypass caches.
    private var documents: [Route] {
        [
            Route(
                method: .get, path: "/problems/{kind}", operation: "getProblem", scope: nil, parameters: .of(Self.kind),
                metric: "problem", summary: "Explains a kind of problem. Its path is the `type` of a problem.",
                outputs: [.page]
            ) { arguments throws(Problem) in
                let kind = try arguments[Self.kind]
                return { _ in .response(.text(kind.text, type: "text/markdown; charset=utf-8")) }
            },
            Route(
                method: .get, path: "/healthz", operation: "getHealth", scope: nil, parameters: nil,
                isForMonitoring: true, metric: "health", summary: "Answers while the daemon runs.", outputs: [.text]
            ) { _ in { _ in .response(.text("ok\n")) } },
            Route(
                method: .get, path: "/readyz", operation: "getReadiness", scope: nil, parameters: nil,
                isForMonitoring: true, metric: "readiness", summary: "Answers whether the daemon accepts requests.",
                outputs: [.text, .notReady]
            ) { _ in
                { _ in
                    guard let obstacle = facts.obstacle(in: context) else { return .response(.text(facts.readiness)) }
                    return .response(.text(obstacle + "\n", status: .serviceUnavailable))
                }
            },
            Route(
                method: .get, path: "/metrics", operation: "getMetrics", scope: .admin, parameters: nil,
                isForMonitoring: true, metric: "metrics",
                summary: "Returns the metrics in the text format of Prometheus.", outputs: [.text],
                problems: [.forbidden]
            ) { arguments throws(Problem) in
                try arguments.checkAllGroups("The figures concern")
                return { _ in
                    .shared(
                        Response(
                            status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
                            body: ResponseBody(byteBuffer: await metrics.text())))
                }
            },
            Route(
                method: .get, path: "/openapi.json", operation: "getOpenAPI", scope: nil, parameters: nil,
                metric: "openapi", summary: "Returns this description of the API.",
                outputs: [.json("The document.", .anyObject)]
            ) { arguments in
                { _ in
                    .shared(
                        Response(
                            status: .ok, headers: [.contentType: "application/json"],
                            body: ResponseBody(byteBuffer: arguments.table.document)))
                }
            },
        ]
    }

    private var reports: [Route] {
        [
            Route(
                method: .get, path: "/v1/hosts", operation: "getHosts", scope: .admin,
                parameters: .of(Self.hostOrder, Self.hostLimit), metric: "status",
                summary: "Returns the figures of the hosts from which media were fetched in the last minutes.",
                outputs: [.json("The hosts, and the sum of all other hosts.", .anyObject)], problems: [.forbidden]
            ) { arguments throws(Problem) in
                try arguments.checkAllGroups("The figures concern")
                let (order, most) = (try arguments[Self.hostOrder], try arguments[Self.hostLimit])
                return { _ in .json(facts.hosts(order, most)) }
            },
            Route(
                method: .get, path: "/v1/samples", operation: "getSamples", scope: .admin, metric: "status",
                summary: "Returns the slowest and the failed requests of the last hour, without texts and names.",
                outputs: [.json("The requests, each with the shape of its payload.", .anyObject)],
                problems: [.forbidden]
            ) { arguments throws(Problem) in
                try arguments.checkAllGroups("The figures concern")
                return { _ in .json(facts.samples()) }
            },
        ]
    }
}

extension MonitoringRoutes {
    private static let kind = Parameter<Problem.Kind>(
        "kind", in: .path, "The last part of the `type` of a problem.",
        ["type": "string", "enum": .names(of: Problem.Kind.self)]
    ) { text, _ throws(Problem) in
        guard let kind = Problem.Kind(rawValue: text ?? "") else {
            throw Problem(.notFound, "There is no such kind of problem. The kinds are \(Problem.Kind.list).")
        }
        return kind
    }
    private static let hostOrder = Parameter<HostOrder>(
        "sort", "The order of the hosts. The host with the largest value is the first one.",
        ["type": "string", "enum": .names(of: HostOrder.self), "default": "requests"], default: .requests,
        "must be one of \(HostOrder.list).", parse: { HostOrder(rawValue: $0) })
    private static let hostLimit = Parameter<Int>(
        "limit", "The largest number of hosts that are named.", upTo: DaemonFacts.maxHosts, default: 20)
}

extension Route.Output {
    fileprivate static let status = json(
        "The state of the daemon. Its figures are null for a token that does not permit all groups.",
        .object(of: [
            "version": .anyText, "uptimeMs": .component("Count"), "ready": ["type": "boolean"],
            "draining": ["type": "boolean"],
            "load": [
                "anyOf": [
                    .object(of: [
                        "running": .component("Count"), "queued": .component("Count"), "accepted": .component("Count"),
                        "emitted": ["type": "object", "additionalProperties": .component("Count")],
                    ]), ["type": "null"],
                ]
            ], "recent": .anyObjectOrNull, "workers": .anyObjectOrNull, "restingHosts": .anyObjectOrNull,
            "sandbox": .anyObjectOrNull,
        ]))
    fileprivate static let page = Route.Output(
        status: 200, meaning: "The page, in Markdown.", type: "text/markdown", schema: .anyText)
    fileprivate static let notReady = Route.Output(
        status: 503, meaning: "The reason why the daemon is not ready.", type: "text/plain", schema: .anyText)
}

extension JSONValue {
    fileprivate static var anyObject: JSONValue { ["type": "object"] }
    fileprivate static var anyObjectOrNull: JSONValue { ["type": ["object", "null"]] }
}
