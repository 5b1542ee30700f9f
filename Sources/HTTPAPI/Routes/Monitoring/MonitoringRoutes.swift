import Authentication
import HTTPTypes
import HummingbirdCore
import JSON
import NotificationModel
import WebURL

/// The routes with the daemon's reports. Their figures come from the requests of all groups, so only a caller with all
/// groups gets them.
extension RouteTable {
    static let reportRoutes: [Route] = [
        Route(
            method: .get, path: "/v1/hosts", operation: "getHosts", scope: .admin,
            parameters: [.hostOrder, .hostLimit], metric: "status",
            summary: "Returns the figures of the hosts from which media were fetched in the last minutes.",
            outputs: [.hosts], problems: [.forbidden]
        ) { arguments throws(Problem) in
            try arguments.checkAllGroups("The figures concern")
            let (order, most) = (try arguments.hostOrder(), try arguments.hostLimit())
            return { handlers, _ in .response(.json(handlers.daemon.reports.hosts(order, most))) }
        },
        Route(
            method: .get, path: "/v1/samples", operation: "getSamples", scope: .admin, metric: "status",
            summary: "Returns the slowest and the failed requests of the last hour, without texts and names.",
            outputs: [.samples], problems: [.forbidden]
        ) { arguments throws(Problem) in
            try arguments.checkAllGroups("The figures concern")
            return { handlers, _ in .response(.json(handlers.daemon.reports.samples())) }
        },
    ]
}

extension RouteArguments {
    fileprivate func hostOrder() throws(Problem) -> HostOrder {
        guard let text = try target.parameter("sort") else { return .requests }
        guard let order = HostOrder(rawValue: text) else {
            let names = HostOrder.allCases.map(\.rawValue).joined(separator: ", ")
            throw .parameter("sort", "must be one of \(names).")
        }
        return order
    }

    fileprivate func hostLimit() throws(Problem) -> Int {
        guard let text = try target.parameter("limit") else { return Route.Parameter.usualHosts }
        guard text.utf8.allSatisfy(\.isASCIIDigit), let limit = Int(text), (1...DaemonReports.mostHosts).contains(limit)
        else { throw .parameter("limit", "must be a number from 1 to \(DaemonReports.mostHosts).") }
        return limit
    }
}

extension Route.Parameter {
    fileprivate static let usualHosts = 20

    fileprivate static let hostOrder = Route.Parameter(
        name: "sort", place: .query,
        meaning: "The order of the hosts. The host with the largest value is the first one.",
        schema: [
            "type": "string", "enum": .array(HostOrder.allCases.map { .string($0.rawValue) }),
            "default": "requests",
        ])
    fileprivate static let hostLimit = Route.Parameter(
        name: "limit", place: .query, meaning: "The largest number of hosts that are named.",
        schema: [
            "type": "integer", "minimum": 1, "maximum": .number(DaemonReports.mostHosts),
            "default": .number(usualHosts),
        ])
}

extension Route.Output {
    fileprivate static let hosts = Route.Output(
        status: 200, meaning: "The hosts, and the sum of all other hosts.", type: "application/json",
        schema: ["type": "object"])
    fileprivate static let samples = Route.Output(
        status: 200, meaning: "The requests, each with the shape of its payload.", type: "application/json",
        schema: ["type": "object"])
}
