import Authentication
import Base
import FoundationEssentials
package import HTTPAPI
import HTTPTypes
import HummingbirdCore
package import NotificationModel

/// The routes of receipts, with a token and by signed URLs.
package struct ReceiptRoutes: Sendable {
    let recording: ReceiptRecording
    let signed: SignedReceipts
    let context: CallContext

    package init(
        _ receipts: any ReceiptIntake, _ signed: SignedReceipts, recipients: any RecipientStoring,
        _ context: CallContext
    ) {
        recording = ReceiptRecording(receipts: receipts, recipients: recipients, clock: context.clock)
        (self.signed, self.context) = (signed, context)
    }

    package var routes: [Route] {
        [
            Route(
                method: .post, path: "/v1/receipts/{id}/{event}", operation: "recordReceipt", scope: .receipts,
                parameters: .of(Self.reported, Self.event, .group, Self.reportedBy, Self.reportedRecipient, Self.at),
                concernsRequests: true, metric: "receipts",
                summary: "Records what happened to emitted notifications on a device.", outputs: [.receipt],
                problems: [.storageFailed]
            ) { arguments throws(Problem) in
                let target = try Self.target(arguments)
                let receipt = try Self.receipt(arguments, of: target, in: try arguments.groupOrDefault())
                return { _ throws(Problem) in .json(.object(try await recording.counts(of: receipt))) }
            },
            Route(
                method: .post, path: "/v1/signed-receipts/{group}/{id}/{event}", operation: "recordSignedReceipt",
                scope: nil,
                parameters: .of(.groupInPath, .id, Self.event, Self.signedRecipient, Self.at, .expires, .signature),
                concernsRequests: true, isPublic: true, metric: "receipts",
                summary:
                    "Records a receipt of a device without a token. Its URL is one of the `receiptURLs` of a result.",
                outputs: [.receipt], problems: [.forbidden, .storageFailed], handler: recordSigned),
            Route(
                method: .post, path: "/v1/receipts", operation: "recordReceipts", scope: .receipts,
                parameters: .of(.group), body: .init(isStreamed: true), example: .receiptLines, concernsRequests: true,
                metric: "receipts", summary: "Records a receipt in each line, and writes a line for each of them.",
                outputs: [.changeLines], problems: [.full, .oldHTTP]
            ) { arguments throws(Problem) in
                let (group, caller) = (try arguments[.group], arguments.caller)
                return { input throws(Problem) in
                    try ReceiptLines(recording: recording).answer(to: consume input, in: group, for: caller, context)
                }
            },
        ]
    }

    /// Records the receipt of a signed URL, which concerns one request. Pages of all origins may read the response,
    /// because the URL is all that a caller needs.
    private func recordSigned(_ arguments: RouteArguments) throws(Problem) -> Route.Handler {
        guard let group = AppGroupName(try arguments[.groupInPath]) else {
            throw Problem(.notFound, "The path has no name of an app group.")
        }
        let id = try arguments[.id]
        let call = SignedReceipts.Call(
            receipt: try Self.receipt(arguments, of: .id(id), in: group), key: RequestKey(group: group, id: id),
            recipient: try arguments[Self.anyRecipient], end: try arguments[.expires],
            signature: try arguments[.signature])
        return { _ throws(Problem) in
            do throws(Problem) {
                try signed.check(call, at: context.clock.date)
                var response = Response.json(.object(try await recording.counts(of: call.receipt)))
                response.headers[.accessControlAllowOrigin] = "*"
                return .response(response)
            } catch {
                var problem = error
                problem.headers[.accessControlAllowOrigin] = "*"
                throw problem
            }
        }
    }

    /// Reads the parts of a receipt other than its target. Its time is in the future if the query has none.
    private static func receipt(_ arguments: RouteArguments, of target: Receipt.Target, in group: AppGroupName)
        throws(Problem) -> Receipt
    {
        let event = try arguments[Self.event]
        var receipt = Receipt(group: group, target: target, event: event, at: try arguments[Self.at] ?? .distantFuture)
        receipt.recipients = try arguments[Self.reportedRecipient].map { [$0] }
        return receipt
    }

    private static func target(_ arguments: RouteArguments) throws(Problem) -> Receipt.Target {
        let kind = try arguments[Self.reportedBy]
        guard kind != .id else { return .id(try arguments[.id]) }
        guard let target = Receipt.Target(kind, try arguments[Self.reported]) else {
            throw Problem(.badRequest, "The name in the path must have 1 to \(Receipt.Target.maxBytes) bytes.")
        }
        return target
    }
}

/// The recording of receipts, for single calls and for lines.
struct ReceiptRecording: Sendable {
    let receipts: any ReceiptIntake
    let recipients: any RecipientStoring
    let clock: any RequestClock

    /// Records a receipt, and returns the numbers of notifications and of cancelled requests.
    func counts(of receipt: Receipt) async throws(Problem) -> JSONObject {
        var receipt = receipt
        // The clock of a device may be fast. A receipt from the future would concern messages that come later.
        receipt.at = min(receipt.at, clock.date)
        if let name = receipt.recipients?.first {
            receipt.recipients = await recipients.allNames(of: name, in: receipt.group)
        }
        switch await receipts.record(receipt) {
        case .recorded(let notifications, let cancelled):
            return ["notifications": .number(notifications), "cancelled": .number(cancelled)]
        case .unknown:
            let recipient = receipt.recipients == nil ? "" : " to this receiver"
            throw Problem(
                .notFound, "The lists of the group \(receipt.group) have no such notification\(recipient) (lists.most)."
            )
        case .failed: throw Problem(.storageFailed, "The receipt was not stored. Try again later.")
        }
    }
}

extension Receipt.Event {
    /// The names of all events, for messages.
    static let names = list
}

extension Receipt.Target {
    /// The kinds of target, by their keys in JSON.
    enum Kind: String, CaseIterable {
        case id
        case providerID = "providerId"
        case thread
    }

    /// The longest name of a message or of a thread, in bytes.
    static let maxBytes = 4_096

    /// Creates the target with a name; `nil` if no target of this kind can have the name.
    init?(_ kind: Kind, _ name: String) {
        switch kind {
        case .id:
            guard let id = RequestID(name) else { return nil }
            self = .id(id)
        case .providerID, .thread:
            guard !name.isEmpty, name.utf8.count <= Self.maxBytes else { return nil }
            self = kind == .thread ? .thread(name) : .providerID(name)
        }
    }
}

extension ReceiptRoutes {
    private static let reported = Parameter<String>(
        path: "id", "The id of the request, or what `by` names, percent-encoded.")
    private static let event = Parameter<Receipt.Event>(
        "event", in: .path, "What happened.", ["type": "string", "enum": .names(of: Receipt.Event.self)]
    ) { text, _ throws(Problem) in
        guard let event = Receipt.Event(rawValue: text ?? "") else {
            throw Problem(.notFound, "There is no event of this name. The events are \(Receipt.Event.names).")
        }
        return event
    }
    private static let reportedBy = Parameter<Receipt.Target.Kind>(
        "by", in: .query,
        "What the path names: a request, the provider's id of a message, or a thread up to the time of the receipt.",
        ["type": "string", "enum": ["id", "provider", "thread"], "default": "id"]
    ) { text, _ throws(Problem) in
        switch text {
        case nil, "id": return .id
        case "provider": return .providerID
        case "thread": return .thread
        case let other?: throw .parameter("by", "is \"\(other)\", which is neither id, provider nor thread.")
        }
    }
    private static let reportedRecipient = Parameter.recipientFilter.described(
        as: "A name of the receiver. Only its notifications get the receipt.")
    private static let signedRecipient = Parameter.recipientFilter.described(
        as: "The receiver of the notification. It is missing if the notification has none.")
    /// The text of the parameter, which the signature of a URL covers.
    private static let anyRecipient = Parameter<String?>("recipient", "The receiver of the notification.")
    private static let at = Parameter.time("at", "The time on the device. The default is the time of the call.")
}

extension Route.Output {
    fileprivate static let receipt = json(
        "The receipt is durable. `notifications` have it, and `cancelled` requests had no result yet.",
        .object(of: ["notifications": .component("Count"), "cancelled": .component("Count")]))
}

extension Route.BodyExample {
    fileprivate static let receiptLines = lines(
        "{\"id\":\"msg-1\",\"event\":\"delivered\",\"at\":\"2026-11-27T08:00:00Z\"}\n")
}
