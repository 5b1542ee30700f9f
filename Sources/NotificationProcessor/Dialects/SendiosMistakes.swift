import Base
import NotificationModel

/// The check of a Sendios push for mistakes, by the vendor's iOS guide, "Push Notification Payload".
struct SendiosMistakes {
    /// The screens of the vendor's apps.
    static let routes = [
        "chat", "profile", "correspondence", "dialogs", "search", "me", "credits", "welcome-package", "activity",
    ]
    /// The screens that belong to another user. For other screens `from_user_id` is null (the guide: "otherwise is
    /// null").
    private static let routesOfUsers = ["chat", "profile", "correspondence"]

    /// The dictionary with the vendor's keys.
    let data: JSONNode
    /// The nodes of the payload that may have a badge.
    let badges: [JSONNode]

    var problems: [PayloadProblem] { [route ?? fromUser].compactMap(\.self) + badges.compactMap(badge) }

    /// Returns whether a value is missing. FCM's data has only strings, with `null` for a missing value.
    private static func isMissing(_ node: JSONNode) -> Bool { [.null, "null"].contains(node.value ?? .null) }

    private var route: PayloadProblem? {
        let node = data["route"]
        if Self.isMissing(node) || node.string.map(Self.routes.contains) == true { return nil }
        let guess = node.string.flatMap { NearestWord.nearest(to: $0, among: Self.routes) }
        return PayloadProblem(
            "sendios-route", node, "\(Self.shown(node)) is not a route" + (guess.map { "; did you mean \($0)?" } ?? ""),
            fix: guess.map { "Write \($0)" } ?? "Write one of: \(Self.routes.joined(separator: ", "))")
    }

    private var fromUser: PayloadProblem? {
        guard let route = data["route"].string, Self.routes.contains(route) else { return nil }
        let user = data["from_user_id"]
        switch (Self.routesOfUsers.contains(route), !Self.isMissing(user) && user.identifier != nil) {
        case (true, false):
            return PayloadProblem(
                "sendios-from-user", user.exists ? user : data,
                "the route \(route) needs a user, and from_user_id names none",
                fix: "Add from_user_id with the id of the user")
        case (false, true):
            return PayloadProblem(
                "sendios-from-user", user, "the route \(route) does not need a user",
                fix: "Write null, or a route that needs a user")
        case (true, true), (false, false): return nil
        }
    }

    private func badge(_ node: JSONNode) -> PayloadProblem? {
        if Self.isMissing(node) || node.looseInteger.map({ $0 >= 0 }) == true { return nil }
        return PayloadProblem(
            "sendios-badge", node, "\(Self.shown(node)) is not a whole number of 0 or more", fix: "Write a number")
    }

    private static func shown(_ node: JSONNode) -> String {
        switch node.value {
        case .string(let text): VisibleText.quoted(text)
        case .number(let number): number.literal
        case let value: value?.typeName ?? "nothing"
        }
    }
}
