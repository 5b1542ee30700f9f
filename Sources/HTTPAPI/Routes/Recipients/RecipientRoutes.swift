import Authentication
import FoundationEssentials
import HTTPTypes
import HummingbirdCore
import JSON
import NotificationModel

/// The handlers of stored receivers.
extension RouteHandlers {
    func recipient(_ name: ReceiverName) async throws(Problem) -> Response {
        try Self.response(to: await receiverStore().find(name), about: name)
    }

    func putRecipient(
        _ name: ReceiverName, _ body: [UInt8], _ condition: VersionCondition
    ) async throws(Problem) -> Response {
        let object = try Self.object(body, about: "receiver")
        let document: ReceiverDocument
        do throws(ReceiverError) { document = try ReceiverDocument(object) } catch { throw Problem(error) }
        return try await change(
            .init(name: name, kind: .replace(document), condition: condition, byteCount: body.count))
    }

    func patchRecipient(
        _ name: ReceiverName, _ body: [UInt8], _ condition: VersionCondition
    ) async throws(Problem) -> Response {
        let patch = try Self.object(body, about: "patch")
        return try await change(.init(name: name, kind: .patch(patch), condition: condition, byteCount: body.count))
    }

    func removeRecipient(_ name: ReceiverName, _ condition: VersionCondition) async throws(Problem) -> Response {
        try await change(.init(name: name, kind: .remove, condition: condition))
    }

    /// Changes a receiver in each line of the body.
    func patchRecipients(
        _ input: consuming Route.Input, in group: AppGroupName?, for caller: Caller
    ) throws(Problem) -> Answer {
        try change(RecipientLines(store: try receiverStore()), consume input, in: group, for: caller)
    }

    /// Applies the change in each line of the body. Each part of the body is applied before the next one is read.
    func change(
        _ handler: some LineHandling, _ input: consuming Route.Input, in group: AppGroupName?, for caller: Caller
    ) throws(Problem) -> Answer {
        guard let body = input.stream else { throw Problem(.internal, "The body is missing.") }
        guard let place = batchPlaces.take(by: caller) else { throw .noBatchPlace(most: batchPlaces.most) }
        let permit = input.permit
        return .lines(
            .init { write in
                var lines = ChangeLines(handler, group: group ?? .default, permitted: caller.groups)
                do {
                    for try await part in body { await write(await lines.take(part)) }
                    await write(await lines.end(isWhole: true))
                } catch {
                    await write(await lines.end(isWhole: false))
                }
                place.leave()
                withExtendedLifetime(permit) {}
            })
    }

    private func change(_ change: ReceiverChange) async throws(Problem) -> Response {
        let answer = try await receiverStore().apply([change]).first ?? .failed("no answer")
        return try Self.response(to: answer, about: change.name)
    }

    private static func response(to answer: ReceiverAnswer, about name: ReceiverName) throws(Problem) -> Response {
        switch answer {
        case .stored(let receiver, let isNew):
            var response = Response.json(receiver.json, status: isNew ? .created : .ok)
            response.headers[.eTag] = "\"\(receiver.version)\""
            return response
        case .removed: return .noContent
        default: throw Problem(answer, about: name)
        }
    }

    private func receiverStore() throws(Problem) -> any ReceiverStoring {
        guard let receivers else { throw Problem(.notFound, "This server stores no receivers.") }
        return receivers
    }
}

extension Problem {
    init(_ error: ReceiverError) {
        self.init(.unusableReceiver, VisibleText.sentence("\(error)"), members: ["key": .string(error.key)])
    }

    /// Creates the problem of a change that was refused, or of a receiver that does not exist.
    init(_ answer: ReceiverAnswer, about name: ReceiverName) {
        switch answer {
        case .unusable(let error): self.init(error)
        case .otherVersion(let version):
            self.init(
                .otherVersion,
                version.map { "The receiver has the version \($0)." } ?? "The receiver does not exist.",
                members: ["version": version.map { JSONValue.number(JSONNumber($0)) } ?? .null])
        case .nameInUse(let taken, let owner):
            self.init(
                .nameInUse,
                "The receiver \(VisibleText.quoted(owner)) of the group \(name.group) has the name \(VisibleText.quoted(taken)).",
                members: ["name": .string(taken), "owner": .string(owner)])
        case .full(let most): self.init(.full, "The store has the maximum of \(most) receivers.")
        case .failed: self.init(.storageFailed, "The receivers could not be read or written. Try again later.")
        case .unknown, .removed, .stored:
            self.init(.notFound, "The group \(name.group) has no receiver of this name.")
        }
    }
}

extension Receiver {
    /// The receiver as responses show it.
    var json: JSONValue {
        var object: JSONObject = [
            "id": .string(id.name), "group": .string(id.group.description), "hash": .string(hash),
        ]
        for member in document.members.members { object.append(member.key, member.value) }
        let style = Date.ISO8601FormatStyle()
        object.append(
            "dead",
            .array(
                document.dead.map { dead in
                    [
                        "name": .string(dead.name), "since": .string(dead.since.formatted(style)),
                        "replacement": dead.replacement.map { .string($0) } ?? .null,
                    ]
                }))
        object.append("version", .number(JSONNumber(version)))
        object.append("updatedAt", .string(updatedAt.formatted(style)))
        return .object(object)
    }
}
