import Authentication
import Base
import HTTPAPI
import HTTPTypes
import HummingbirdCore
import NotificationModel

/// The routes of stored recipients.
struct RecipientRoutes: Sendable {
    let store: any RecipientStoring
    let context: CallContext

    private static let path: PathPattern = "/v1/recipients/{id}"
    private static let changeProblems: [Problem.Kind] = [
        .notJSON, .unusableRecipient, .nameInUse, .otherVersion, .tooLarge, .full, .storageFailed,
    ]
    /// The rule for the document of one recipient. A document with all names and labels has less than 64 KiB.
    private static let document = Route.BodyRule(maxBytes: ChangeLimits.lineBytes)

    var routes: [Route] {
        [
            Route(
                method: .get, path: Self.path, operation: "getRecipient", scope: .recipients,
                parameters: .of(.recipientName, .group), metric: "recipients",
                summary: "Returns a receiver by one of its names.", outputs: [.recipient],
                components: ["Recipient": Self.schema]
            ) { arguments throws(Problem) in
                let name = try arguments.recipient()
                return { _ throws(Problem) in try Self.answer(await store.find(name), about: name) }
            },
            Route(
                method: .put, path: Self.path, operation: "putRecipient", scope: .recipients,
                parameters: .of(.recipientName, .group, .ifMatch, .ifNoneMatch), body: Self.document,
                example: .recipient, metric: "recipients",
                summary: "Creates a receiver, or replaces its permissions, names and labels.",
                outputs: [.recipient, .recipientCreated], problems: Self.changeProblems, handler: put),
            Route(
                method: .patch, path: Self.path, operation: "patchRecipient", scope: .recipients,
                parameters: .of(.recipientName, .group, .ifMatch, .ifNoneMatch), body: Self.document,
                example: .recipientPatch, metric: "recipients",
                summary: "Changes members of a receiver by a merge patch (RFC 7396).",
                outputs: [.recipient, .recipientCreated], problems: Self.changeProblems, handler: patch),
            Route(
                method: .delete, path: Self.path, operation: "deleteRecipient", scope: .recipients,
                parameters: .of(.recipientName, .group, .ifMatch), metric: "recipients",
                summary: "Removes a receiver with all of its names.",
                outputs: [.init(status: 204, meaning: "The receiver and its names are removed.")],
                problems: [.otherVersion, .storageFailed]
            ) { arguments throws(Problem) in
                let (name, condition) = (try arguments.recipient(), try arguments.condition())
                return { _ throws(Problem) in try await change(.init(name: name, kind: .remove, condition: condition)) }
            },
            Route(
                method: .patch, path: "/v1/recipients", operation: "patchRecipients", scope: .recipients,
                parameters: .of(.group), body: .init(isStreamed: true), example: .recipientLines, metric: "recipients",
                summary: "Changes a receiver in each line, and writes a line for each change.", outputs: [.changeLines],
                problems: [.full, .oldHTTP]
            ) { arguments throws(Problem) in
                let (group, caller) = (try arguments[.group], arguments.caller)
                return { input throws(Problem) in
                    try RecipientLines(store: store).answer(to: consume input, in: group, for: caller, context)
                }
            },
        ]
    }

    private func put(_ arguments: RouteArguments) throws(Problem) -> Route.Handler {
        let (name, condition) = (try arguments.recipient(), try arguments.condition())
        return { input throws(Problem) in
            let object = try JSONObject.change(in: input.body, about: "receiver")
            let document: RecipientDocument
            do throws(RecipientError) { document = try RecipientDocument(object) } catch { throw Problem(error) }
            let byteCount = input.body.count
            return try await change(
                .init(name: name, kind: .replace(document), condition: condition, byteCount: byteCount))
        }
    }

    private func patch(_ arguments: RouteArguments) throws(Problem) -> Route.Handler {
        let (name, condition) = (try arguments.recipient(), try arguments.condition())
        return { input throws(Problem) in
            let patch = try JSONObject.change(in: input.body, about: "patch")
            let byteCount = input.body.count
            return try await change(.init(name: name, kind: .patch(patch), condition: condition, byteCount: byteCount))
        }
    }

    private func change(_ change: RecipientChange) async throws(Problem) -> Route.Answer {
        try Self.answer(await store.apply([change]).first ?? .failed("no answer"), about: change.name)
    }

    private static func answer(_ answer: RecipientAnswer, about name: RecipientName) throws(Problem) -> Route.Answer {
        switch answer {
        case .stored(let recipient, let isNew):
            var response = Response.json(recipient.json, status: isNew ? .created : .ok)
            response.headers[.eTag] = "\"\(recipient.version)\""
            return .response(response)
        case .removed: return .noContent
        default: throw Problem(answer, about: name)
        }
    }
}

extension RouteArguments {
    /// Reads the name of a recipient from the path, and its group from the query.
    func recipient() throws(Problem) -> RecipientName {
        let name = try self[.recipientName]
        return RecipientName(group: try groupOrDefault(), name: name)
    }
}

extension JSONObject {
    /// Reads a change, in which no object may have a key twice. Readers of JSON differ in which value they take (RFC 8259
    /// §4), so an opt-out could be lost.
    static func change(in body: [UInt8], about noun: String) throws(Problem) -> JSONObject {
        let object = try read(body, about: noun)
        if let key = JSONValue.object(object).repeatedKey {
            throw Problem(
                .badRequest, "The \(noun) has the key \(VisibleText.quoted(key)) twice.",
                members: ["key": .string(key)])
        }
        return object
    }
}

extension Parameter where Value == String {
    static var recipientName: Self {
        Self("id", in: .path, "A name of the receiver, percent-encoded.", .recipientName) { text, _ throws(Problem) in
            guard let name = RecipientName.parse(text ?? "") else {
                throw Problem(
                    .badRequest,
                    "The name in the path must have 1 to \(RecipientName.maxScalars) characters, without controls and line ends."
                )
            }
            return name
        }
    }
}

extension Problem {
    init(_ error: RecipientError) {
        self.init(.unusableRecipient, VisibleText.sentence("\(error)"), members: ["key": .string(error.key)])
    }

    /// Creates the problem of a change that was refused, or of a recipient that does not exist.
    init(_ answer: RecipientAnswer, about name: RecipientName) {
        switch answer {
        case .unusable(let error): self.init(error)
        case .otherVersion(let version):
            self.init(
                .otherVersion, version.map { "The receiver has the version \($0)." } ?? "The receiver does not exist.",
                members: ["version": version.map { JSONValue.number(JSONNumber($0)) } ?? .null])
        case .nameInUse(let taken, let owner):
            self.init(
                .nameInUse,
                "The receiver \(VisibleText.quoted(owner)) of the group \(name.group) has the name \(VisibleText.quoted(taken)).",
                members: ["name": .string(taken), "owner": .string(owner)])
        case .full(let most): self.init(.full, "The store has the maximum of \(most) receivers.")
        case .failed: self.init(.storageFailed, "The receivers could not be read or written. Try again later.")
        case .unknown, .removed, .stored: self.init(.notFound, "The group \(name.group) has no receiver of this name.")
        }
    }
}

/// The lines of `PATCH /v1/recipients`, each of which changes one recipient by a merge patch.
struct RecipientLines: LineHandling {
    static let targetKeys = ["id"]

    let store: any RecipientStoring

    func change(_ object: JSONObject, in group: AppGroupName, byteCount: Int) throws(Problem) -> RecipientChange {
        guard let name = object["id"]?.string.flatMap({ RecipientName.parse($0) }) else {
            throw Problem(RecipientError(key: "id", problem: "is not the name of a receiver"))
        }
        return RecipientChange(
            name: RecipientName(group: group, name: name), kind: .patch(object), byteCount: byteCount)
    }

    func apply(_ changes: [RecipientChange]) async -> [Result<JSONObject, Problem>] {
        let answers = await store.apply(changes)
        return zip(changes, answers).map { change, answer in
            guard case .stored(_, let isNew) = answer else { return .failure(Problem(answer, about: change.name)) }
            return .success(["status": isNew ? 201 : 200])
        }
    }
}
