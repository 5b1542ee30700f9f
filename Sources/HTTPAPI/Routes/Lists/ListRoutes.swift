import Authentication
import Digests
import FoundationEssentials
import HTTPTypes
import HummingbirdCore
import JSON
import NotificationModel
import Primitives

/// The handlers of the lists of emitted notifications.
extension RouteHandlers {
    /// The size of the contents after which a page ends, in bytes.
    private static let mostContentBytes = 4 << 20

    func list(
        _ query: ListQuery, showsContent: Bool, unless condition: String?
    ) async throws(Problem) -> Response {
        let page = try Self.read(await lists().list(try await withAllNames(query)))
        guard showsContent else { return Self.answer(page, "notifications", unless: condition) { $0.json } }
        var (elements, next, byteCount): ([JSONValue], Int?, Int) = ([], page.next, 0)
        for (index, listed) in page.elements.enumerated() {
            let content = await content(of: listed)
            byteCount += content?.count ?? 0
            elements.append(listed.json(with: content))
            guard byteCount > Self.mostContentBytes, index + 1 < page.elements.count else { continue }
            next = listed.place
            break
        }
        return Self.answer(ListPage(elements: elements, next: next), "notifications", unless: condition) { $0 }
    }

    func threads(_ query: ListQuery, unless condition: String?) async throws(Problem) -> Response {
        let page = try Self.read(await lists().threads(try await withAllNames(query)))
        return Self.answer(page, "threads", unless: condition) { thread in
            [
                "thread": .string(thread.first.names.thread ?? ""), "count": .number(thread.count),
                "unread": .number(thread.unread), "notification": thread.first.json,
            ]
        }
    }

    /// The time of the notifications that a summary counts by default: 30 days.
    private static let summarized: TimeInterval = 30 * 86_400

    func summary(of name: ReceiverName, _ query: ListQuery) async throws(Problem) -> Response {
        var query = query
        query.recipients = [name.name]
        query.from = query.from ?? clock.date.addingTimeInterval(-Self.summarized)
        let summary = try Self.read(await lists().summary(try await withAllNames(query)))
        return .json([
            "from": .string((query.from ?? .distantPast).formatted(Date.ISO8601FormatStyle())),
            "count": .number(JSONNumber(summary.rows.reduce(0) { $0 + $1.count })),
            "isComplete": .bool(summary.isComplete),
            "outcomes": .array(
                summary.rows.map { row in
                    [
                        "outcome": .string(row.outcome.rawValue),
                        "reason": row.reason.map { .string($0.rawValue) } ?? .null,
                        "count": .number(JSONNumber(row.count)),
                    ]
                }),
        ])
    }

    /// Returns the lines about a receiver. An export takes a place of a batch.
    func export(_ name: ReceiverName, for caller: Caller) async throws(Problem) -> Answer {
        guard let place = batchPlaces.take(by: caller) else { throw .noBatchPlace(most: batchPlaces.most) }
        let export = RecipientExport(handlers: self, name: name, names: await allNames(of: name.name, in: name.group))
        return .lines(
            .init { write in
                await export.run(write)
                place.leave()
            })
    }

    private func lists() throws(Problem) -> any NotificationListing {
        guard let listing else { throw Problem(.notFound, "This server has no lists.") }
        return listing
    }

    /// Returns the query with all names of the stored receiver that has the name.
    private func withAllNames(_ query: ListQuery) async throws(Problem) -> ListQuery {
        guard let name = query.recipients?.first else { return query }
        var query = query
        query.recipients = await allNames(of: name, in: query.group)
        return query
    }

    /// Returns a name together with all names of the stored receiver that has it.
    func allNames(of name: String, in group: AppGroupName) async -> [String] {
        let receiver = await receiver(ReceiverName(group: group, name: name))
        return (receiver?.allNames ?? []).union([name]).sorted()
    }

    /// Returns a stored receiver; `nil` if it does not exist or cannot be read.
    func receiver(_ name: ReceiverName) async -> Receiver? {
        guard case .stored(let receiver, _)? = await receivers?.find(name) else { return nil }
        return receiver
    }

    private static func read<Value>(_ value: Value?) throws(Problem) -> Value {
        guard let value else { throw Problem(.storageFailed, "The lists could not be read. Try again later.") }
        return value
    }

    /// Returns the content of a notification while the daemon keeps it. Another request may have the same id later.
    func content(of listed: ListedNotification) async -> [UInt8]? {
        guard case .emitted(let content)? = await coordinator.state(of: listed.key),
            content.outcome == listed.outcome, content.reason == listed.reason
        else { return nil }
        return content.json
    }

    /// Returns a page, or the status 304 if the caller has the same page.
    private static func answer<Element>(
        _ page: ListPage<Element>, _ name: String, unless condition: String?, _ json: (Element) -> JSONValue
    ) -> Response {
        let bytes = JSONWriter.bytes(of: [
            name: .array(page.elements.map(json)), "next": page.next.map { .string(ListCursor.text(of: $0)) } ?? .null,
        ])
        let tag = "\"\(Hexadecimal.text(of: SHA256.hash(bytes).prefix(16)))\""
        var response = Response(status: .notModified)
        if condition.map({ !MediaSelection.names(tag, in: $0, isWeak: true) }) ?? true {
            response = .bytes(bytes, status: .ok, type: "application/json")
        }
        response.headers[.eTag] = tag
        response.headers[.cacheControl] = "private, no-cache"
        return response
    }
}

extension ListedNotification {
    var json: JSONValue {
        [
            "id": .string(key.id.description), "appGroup": .string(key.group.description),
            "emittedAt": .string(emittedAt.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
            "outcome": .string(outcome.rawValue), "reason": .text(reason?.rawValue), "provider": .text(names.provider),
            "providerId": .text(names.providerID), "recipient": .text(names.recipient), "thread": .text(names.thread),
            "labels": .array(names.labels.map { .string($0) }),
            "receipts": .object(
                JSONObject(
                    Receipt.Event.allCases.compactMap { event in
                        receipts[event].map { (event.rawValue, .timestamp($0)) }
                    })),
        ]
    }

    /// Returns the notification with its result, or with null if the result is no longer kept.
    func json(with content: [UInt8]?) -> JSONValue {
        var object = json.object ?? [:]
        object.append("content", content.flatMap { try? JSONParser.value(of: $0) } ?? .null)
        return .object(object)
    }
}
