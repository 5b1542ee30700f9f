import JSON
import NotificationModel
import WebURL

/// The arguments of the stream of events.
extension RouteArguments {
    /// Reads the conditions of the events. A receiver or a thread is one of a group, which is the default group unless the
    /// query names another one.
    func eventFilter() throws(Problem) -> EventFilter {
        let recipient = try self.recipientFilter()
        let thread = try target.parameter("thread")
        let group = recipient == nil && thread == nil ? try group() : try groupOrDefault()
        var filter = EventFilter(group: group, outcomes: try outcomes())
        filter.thread = thread
        filter.recipients = recipient.map { [$0] }
        return filter
    }

    /// Reads the parameter `recipient`; `nil` if the query has no such parameter.
    func recipientFilter() throws(Problem) -> String? {
        guard let text = try target.parameter("recipient") else { return nil }
        guard let name = ReceiverName.parse(text) else {
            throw .parameter("recipient", "must have 1 to \(ReceiverName.mostScalars) characters.")
        }
        return name
    }
}

extension Route.Parameter {
    static let eventRecipient = Route.Parameter(
        name: "recipient", place: .query, meaning: "Only events of requests to this receiver, by one of its names.",
        schema: ["type": "string", "minLength": 1, "maxLength": .number(ReceiverName.mostScalars)])
    static let eventThread = Route.Parameter(
        name: "thread", place: .query, meaning: "Only events of notifications of this thread.",
        schema: ["type": "string"])
    static let eventsFrom = Route.Parameter(
        name: "from", place: .query, meaning: "The stream begins with the emissions since this time.",
        schema: ["type": "string", "examples": ["2026-11-27T08:00:00Z"]])
}
