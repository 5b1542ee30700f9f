import Authentication
import Base
import Digests
import FoundationEssentials
import HTTPAPI
import HTTPTypes
import HummingbirdCore
import NotificationModel

/// The routes of the lists of emitted notifications.
struct ListRoutes: Sendable {
    let listing: any NotificationListing
    let coordinator: any RequestIntake
    let recipients: any RecipientStoring
    let messages: any MessageIntake
    let context: CallContext

    var routes: [Route] {
        [
            Route(
                method: .get, path: "/v1/notifications", operation: "listNotifications", scope: .read,
                parameters: .of(.group) + Self.conditions + .of(Self.content), metric: "list",
                summary: "Lists the emitted notifications of an app group.", outputs: [.listed, .unchanged],
                components: ["Listed": Self.schema], problems: [.storageFailed], handler: list),
            Route(
                method: .get, path: "/v1/threads", operation: "listThreads", scope: .read,
                parameters: .of(.group) + Self.conditions, metric: "list",
                summary: "Lists the threads of the emitted notifications, each with its newest notification.",
                outputs: [.listedThreads, .unchanged], problems: [.storageFailed], handler: threads),
            Route(
                method: .get, path: "/v1/recipients/{id}/summary", operation: "summarizeRecipient", scope: .read,
                parameters: .of(.recipientName, .group, .from, Self.to), metric: "list",
                summary: "Counts the notifications of a receiver by outcome and reason.", outputs: [.summary],
                problems: [.storageFailed], handler: summary),
            Route(
                method: .get, path: "/v1/recipients/{id}/export", operation: "exportRecipient", scope: .admin,
                parameters: .of(.recipientName, .group), metric: "export",
                summary: "Returns everything that is stored about a receiver, in lines.", outputs: [.export],
                problems: [.full, .oldHTTP], handler: export),
        ]
    }

    /// The size of the contents after which a page ends, in bytes.
    private static let maxContentBytes = 4 << 20

    private func list(_ arguments: RouteArguments) throws(Problem) -> Route.Handler {
        let (query, condition) = (try ListQuery(arguments), arguments.head.headerFields[.ifNoneMatch])
        let showsContent = try arguments[Self.content]
        return { _ throws(Problem) in
            let page = try Self.read(await listing.list(await withAllNames(query)))
            guard showsContent else { return Self.answer(page, "notifications", unless: condition) { $0.json } }
            var (elements, next, byteCount): ([JSONValue], Int?, Int) = ([], page.next, 0)
            for (index, listed) in page.elements.enumerated() {
                let content = await coordinator.content(of: listed)
                byteCount += content?.count ?? 0
                elements.append(listed.json(with: content))
                guard byteCount > Self.maxContentBytes, index + 1 < page.elements.count else { continue }
                next = listed.place
                break
            }
            return Self.answer(ListPage(elements: elements, next: next), "notifications", unless: condition) { $0 }
        }
    }

    private func threads(_ arguments: RouteArguments) throws(Problem) -> Route.Handler {
        let (query, condition) = (try ListQuery(arguments), arguments.head.headerFields[.ifNoneMatch])
        return { _ throws(Problem) in
            let page = try Self.read(await listing.threads(await withAllNames(query)))
            return Self.answer(page, "threads", unless: condition) { thread in
                [
                    "thread": .string(thread.first.names.thread ?? ""), "count": .number(thread.count),
                    "unread": .number(thread.unread), "notification": thread.first.json,
                ]
            }
        }
    }

    /// The time of the notifications that a summary counts by default: 30 days.
    private static let summarized: TimeInterval = 30 * 86_400

    private func summary(_ arguments: RouteArguments) throws(Problem) -> Route.Handler {
        let (name, asked) = (try arguments.recipient(), try ListQuery(arguments))
        return { _ throws(Problem) in
            var query = asked
            let from = query.from ?? context.clock.date.addingTimeInterval(-Self.summarized)
            (query.recipients, query.from) = ([name.name], from)
            let summary = try Self.read(await listing.summary(await withAllNames(query)))
            let outcomes: [JSONValue] = summary.rows.map { row in
                [
                    "outcome": .string(row.outcome.rawValue), "reason": .text(row.reason?.rawValue),
                    "count": .number(row.count),
                ]
            }
            return .json([
                "from": .string(from.formatted(Date.ISO8601FormatStyle())),
                "count": .number(summary.rows.reduce(0) { $0 + $1.count }), "isComplete": .bool(summary.isComplete),
                "outcomes": .array(outcomes),
            ])
        }
    }

    /// Returns the lines about a recipient. An export takes a place of a batch.
    private func export(_ arguments: RouteArguments) throws(Problem) -> Route.Handler {
        let (name, caller) = (try arguments.recipient(), arguments.caller)
        return { _ throws(Problem) in
            let place = try context.lineSlot(for: caller)
            let names = await recipients.allNames(of: name.name, in: name.group)
            let export = RecipientExport(sources: self, name: name, names: names)
            return .lines(
                .init { write in
                    await export.run(write)
                    place.leave()
                })
        }
    }

    /// Returns the query with all names of the stored recipient that has the name.
    private func withAllNames(_ query: ListQuery) async -> ListQuery {
        guard let name = query.recipients?.first else { return query }
        var query = query
        query.recipients = await recipients.allNames(of: name, in: query.group)
        return query
    }

    private static func read<Value>(_ value: Value?) throws(Problem) -> Value {
        guard let value else { throw Problem(.storageFailed, "The lists could not be read. Try again later.") }
        return value
    }

    /// Returns a page, or the status 304 if the caller has the same page.
    private static func answer<Element>(
        _ page: ListPage<Element>, _ name: String, unless condition: String?, _ json: (Element) -> JSONValue
    ) -> Route.Answer {
        let bytes = JSONWriter.bytes(of: [
            name: .array(page.elements.map(json)), "next": .text(page.next.map(ListCursor.text)),
        ])
        let tag = "\"\(Hexadecimal.text(of: SHA256.hash(bytes).prefix(16)))\""
        var response = Response(status: .notModified)
        if condition.map({ !MediaSelection.names(tag, in: $0, isWeak: true) }) ?? true {
            response = .bytes(bytes, status: .ok, type: "application/json")
        }
        response.headers[.eTag] = tag
        response.headers[.cacheControl] = "private, no-cache"
        return .response(response)
    }
}

extension RequestIntake {
    /// Returns the content of a notification while the daemon keeps it. Another request may have the same id later.
    func content(of listed: ListedNotification) async -> [UInt8]? {
        guard case .emitted(let content)? = await state(of: listed.key), content.outcome == listed.outcome,
            content.reason == listed.reason
        else { return nil }
        return content.json
    }
}

extension Route.Output {
    fileprivate static let listed = page(
        "A page of the list. `next` is the cursor of the next page, or null at the end of the list.",
        ["notifications": ["type": "array", "items": .component("Listed")]])
    fileprivate static let listedThreads = page(
        "A page of the threads.",
        [
            "threads": [
                "type": "array",
                "items": .object(of: [
                    "thread": .anyText, "count": .component("Count"), "unread": .component("Count"),
                    "notification": .component("Listed"),
                ]),
            ]
        ])
    fileprivate static let unchanged = Route.Output(status: 304, meaning: "`If-None-Match` names the page.")
    fileprivate static let export = lines(
        "A line with `recipient`, one for each `notification` and named `message`, and a `summary` at the end.")
    fileprivate static let summary = json(
        "The counts, the largest one first.",
        .object(of: [
            "from": .anyText, "count": .component("Count"), "isComplete": ["type": "boolean"],
            "outcomes": [
                "type": "array",
                "items": .object(of: ["outcome": .anyText, "reason": .anyTextOrNull, "count": .component("Count")]),
            ],
        ]))

    private static func page(_ meaning: String, _ members: JSONObject) -> Route.Output {
        var members = members
        members.append("next", .anyTextOrNull)
        return json(meaning, .object(of: members))
    }
}
