import Base
import FoundationEssentials
import HTTPAPI
import NotificationModel

extension ListQuery {
    /// Reads the conditions of a list from the query. The group is one that the caller may use.
    init(_ arguments: RouteArguments) throws(Problem) {
        self.init(group: try arguments.groupOrDefault())
        recipients = try arguments[ListRoutes.listedRecipient].map { [$0] }
        id = try arguments[ListRoutes.listedID]
        providerID = try arguments[ListRoutes.listedProviderID]
        thread = try arguments[.thread]
        label = try arguments[ListRoutes.label]
        provider = try arguments[ListRoutes.provider]
        outcomes = try arguments[ListRoutes.listedOutcome]
        reason = try arguments[ListRoutes.reason]
        missing = try arguments[ListRoutes.missing]
        from = try arguments[.from]
        to = try arguments[ListRoutes.to]
        order = try arguments[ListRoutes.order]
        limit = try arguments[.limit]
        after = try arguments[.cursor]
    }
}

extension ListRoutes {
    /// The parameters of a list, other than its group.
    static let conditions: [ParameterDescription] =
        .of(Self.listedID, Self.listedProviderID, Self.listedRecipient, Self.label, .thread, Self.provider)
        + .of(Self.listedOutcome, Self.reason, Self.missing, .from, Self.to, Self.order, .limit, .cursor)

    fileprivate static let listedID = Parameter<String?>("id", "Only notifications of the request with this id.")
    fileprivate static let listedProviderID = Parameter<String?>(
        "providerId", "Only notifications of the message with this id of the provider.")
    fileprivate static let listedRecipient = Parameter.recipientFilter.described(
        as: "Only notifications to this receiver, by one of its names.")
    fileprivate static let label = Parameter<String?>("label", "Only notifications with this label.")
    fileprivate static let provider = Parameter<String?>("provider", "Only notifications that this dialect has read.")
    fileprivate static let listedOutcome = Parameter.outcome.described(
        as: "Only notifications with one of these outcomes, with commas between them.")
    fileprivate static let reason = Parameter<DegradationReason?>(
        choice: "reason", "Only notifications with this reason.")
    fileprivate static let missing = Parameter<Receipt.Event?>(
        choice: "missing", "Only shown notifications that have no receipt of this event.")
    static let to = Parameter.time("to", "Only notifications that were emitted before this time.")
    fileprivate static let order = Parameter<ListQuery.Order>(
        "order", "Whether the newest or the oldest notification is the first one.",
        ["type": "string", "enum": ["newest", "oldest"], "default": "newest"], default: .newest,
        "must be newest or oldest.", parse: { ListQuery.Order(rawValue: $0) })
    static let content = Parameter<Bool>(
        flag: "content", "Whether each notification has its result, or null if the result is no longer kept.")
}
