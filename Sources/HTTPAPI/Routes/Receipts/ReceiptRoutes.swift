import Authentication
import FoundationEssentials
import HTTPTypes
import HummingbirdCore
import JSON
import NotificationModel
import Primitives

/// The route of receipts, with its arguments and its handler.
extension RouteTable {
    static let receiptRoutes: [Route] = [
        Route(
            method: .post, path: "/v1/receipts/{id}/{event}", operation: "recordReceipt", scope: .receipts,
            parameters: [.reported, .event, .group, .reportedBy, .reportedRecipient, .at], concernsRequests: true,
            metric: "receipts", summary: "Records what happened to emitted notifications on a device.",
            outputs: [.receipt], problems: [.storageFailed]
        ) { arguments throws(Problem) in
            let receipt = try arguments.receipt()
            return { handlers, _ throws(Problem) in .response(try await handlers.record(receipt)) }
        },
        Route(
            method: .post, path: "/v1/signed-receipts/{group}/{id}/{event}", operation: "recordSignedReceipt",
            scope: nil, parameters: [.groupInPath, .id, .event, .signedRecipient, .at, .expires, .signature],
            concernsRequests: true, isPublic: true, metric: "receipts",
            summary: "Records a receipt of a device without a token. Its URL is one of the `receiptURLs` of a result.",
            outputs: [.receipt], problems: [.forbidden, .storageFailed]
        ) { arguments throws(Problem) in
            let call = try arguments.signedReceipt()
            return { handlers, _ throws(Problem) in .response(try await handlers.record(call)) }
        },
        Route(
            method: .post, path: "/v1/receipts", operation: "recordReceipts", scope: .receipts,
            parameters: [.group], body: .init(isStreamed: true), example: .receiptLines, concernsRequests: true,
            metric: "receipts", summary: "Records a receipt in each line, and writes a line for each of them.",
            outputs: [.receiptLines], problems: [.full, .oldHTTP]
        ) { arguments throws(Problem) in
            let (group, caller) = (try arguments.group(), arguments.caller)
            return { handlers, input throws(Problem) in
                try handlers.change(
                    ReceiptLines(handlers: handlers, receipts: try handlers.receiptIntake()), consume input, in: group,
                    for: caller)
            }
        },
    ]
}

extension RouteArguments {
    /// Reads a receipt from the path and the query.
    fileprivate func receipt() throws(Problem) -> Receipt {
        try receipt(of: try receiptTarget(), in: try groupOrDefault())
    }

    /// Reads the receipt of a signed URL, which concerns one request, with the texts of its query.
    fileprivate func signedReceipt() throws(Problem) -> SignedReceipts.Call {
        guard let group = AppGroupName(segment("{group}")) else {
            throw Problem(.notFound, "The path has no name of an app group.")
        }
        let id = try requestID()
        return SignedReceipts.Call(
            receipt: try receipt(of: .id(id), in: group), key: RequestKey(group: group, id: id),
            recipient: try target.parameter("recipient"), end: try target.parameter("expires"),
            signature: try target.parameter("signature"))
    }

    /// Reads the parts of a receipt other than its target. Its time is in the future if the query has none.
    private func receipt(of target: Receipt.Target, in group: AppGroupName) throws(Problem) -> Receipt {
        var receipt = Receipt(
            group: group, target: target, event: try receiptEvent(), at: try time("at") ?? .distantFuture)
        receipt.recipients = try recipientFilter().map { [$0] }
        return receipt
    }

    private func receiptEvent() throws(Problem) -> Receipt.Event {
        guard let event = Receipt.Event(rawValue: segment("{event}")) else {
            throw Problem(.notFound, "There is no event of this name. The events are \(Receipt.Event.names).")
        }
        return event
    }

    private func receiptTarget() throws(Problem) -> Receipt.Target {
        switch try target.parameter("by") {
        case nil, "id": return .id(try requestID())
        case "provider", "thread":
            let kind = try target.parameter("by") == "thread" ? Receipt.Target.Kind.thread : .providerID
            guard let target = Receipt.Target(kind, id) else {
                throw Problem(.badRequest, "The name in the path must have 1 to \(Receipt.Target.mostBytes) bytes.")
            }
            return target
        case let other?: throw .parameter("by", "is \"\(other)\", which is neither id, provider nor thread.")
        }
    }
}

extension Receipt.Event {
    /// The names of all events, for messages.
    static let names = allCases.map(\.rawValue).joined(separator: ", ")
}

extension Receipt.Target {
    /// The kinds of target, by their keys in JSON.
    enum Kind: String, CaseIterable {
        case id
        case providerID = "providerId"
        case thread
    }

    /// The longest name of a message or of a thread, in bytes.
    static let mostBytes = 4_096

    /// Creates the target with a name; `nil` if no target of this kind can have the name.
    init?(_ kind: Kind, _ name: String) {
        switch kind {
        case .id:
            guard let id = RequestID(name) else { return nil }
            self = .id(id)
        case .providerID, .thread:
            guard !name.isEmpty, name.utf8.count <= Self.mostBytes else { return nil }
            self = kind == .thread ? .thread(name) : .providerID(name)
        }
    }
}

extension RouteHandlers {
    fileprivate func receiptIntake() throws(Problem) -> any ReceiptIntake {
        guard let receipts else { throw Problem(.notFound, "This server takes no receipts.") }
        return receipts
    }

    fileprivate func record(_ receipt: Receipt) async throws(Problem) -> Response {
        .json(.object(try await counts(of: receipt, by: try receiptIntake())))
    }

    /// Records the receipt of a signed URL. Pages of all origins may read the response, because the URL is all that a
    /// caller needs.
    fileprivate func record(_ call: SignedReceipts.Call) async throws(Problem) -> Response {
        do throws(Problem) {
            try signedReceipts.check(call, at: clock.date)
            var response = try await record(call.receipt)
            response.headers[.accessControlAllowOrigin] = "*"
            return response
        } catch {
            var problem = error
            problem.headers[.accessControlAllowOrigin] = "*"
            throw problem
        }
    }

    /// Records a receipt, and returns the numbers of notifications and of cancelled requests.
    func counts(of receipt: Receipt, by receipts: any ReceiptIntake) async throws(Problem) -> JSONObject {
        var receipt = receipt
        // The clock of a device may be fast. A receipt from the future would concern messages that come later.
        receipt.at = min(receipt.at, clock.date)
        if let name = receipt.recipients?.first { receipt.recipients = await allNames(of: name, in: receipt.group) }
        switch await receipts.record(receipt) {
        case .recorded(let notifications, let cancelled):
            return ["notifications": .number(notifications), "cancelled": .number(cancelled)]
        case .unknown:
            let receiver = receipt.recipients == nil ? "" : " to this receiver"
            throw Problem(
                .notFound, "The lists of the group \(receipt.group) have no such notification\(receiver) (lists.most).")
        case .failed: throw Problem(.storageFailed, "The receipt was not stored. Try again later.")
        }
    }
}

extension Route.Parameter {
    fileprivate static let reported = Route.Parameter(
        name: "id", place: .path,
        meaning: "The id of the request, or what `by` names, percent-encoded.", schema: ["type": "string"])
    fileprivate static let event = Route.Parameter(
        name: "event", place: .path, meaning: "What happened.",
        schema: ["type": "string", "enum": .array(Receipt.Event.allCases.map { .string($0.rawValue) })])
    fileprivate static let reportedBy = Route.Parameter(
        name: "by", place: .query,
        meaning:
            "What the path names: a request, the provider's id of a message, or a thread up to the time of the receipt.",
        schema: ["type": "string", "enum": ["id", "provider", "thread"], "default": "id"])
    fileprivate static let reportedRecipient = Route.Parameter(
        name: "recipient", place: .query, meaning: "A name of the receiver. Only its notifications get the receipt.",
        schema: ["type": "string", "minLength": 1, "maxLength": .number(ReceiverName.mostScalars)])
    fileprivate static let signedRecipient = Route.Parameter(
        name: "recipient", place: .query,
        meaning: "The receiver of the notification. It is missing if the notification has none.",
        schema: ["type": "string", "minLength": 1, "maxLength": .number(ReceiverName.mostScalars)])
    fileprivate static let at = Route.Parameter(
        name: "at", place: .query, meaning: "The time on the device. The default is the time of the call.",
        schema: ["type": "string", "examples": ["2026-11-27T08:00:00Z"]])
}

extension Route.Output {
    fileprivate static let receipt = Route.Output(
        status: 200,
        meaning: "The receipt is durable. `notifications` have it, and `cancelled` requests had no result yet.",
        type: "application/json",
        schema: .object(of: ["notifications": .component("Count"), "cancelled": .component("Count")]))
    fileprivate static let receiptLines = Route.Output(
        status: 200, meaning: "One line of JSON for each line of the body, in its order, and a summary.",
        type: "application/x-ndjson", schema: ["type": "string"])
}

extension Route.BodyExample {
    fileprivate static let receiptLines = Route.BodyExample(
        type: "application/x-ndjson", schema: ["type": "string"],
        value: "{\"id\":\"msg-1\",\"event\":\"delivered\",\"at\":\"2026-11-27T08:00:00Z\"}\n")
}
