import Authentication
import Base
import HTTPAPI
import HTTPTypes
import HummingbirdCore
import NotificationModel

/// The routes of named messages, which apps ask for by their names.
struct MessageRoutes: Sendable {
    let messages: any MessageIntake
    let context: CallContext

    private static let path: PathPattern = "/v1/messages/{name}"

    var routes: [Route] {
        [
            Route(
                method: .get, path: Self.path, operation: "getMessage", scope: .read,
                parameters: .of(Self.messageName, .group, Self.profile, .wait), concernsRequests: true,
                metric: "messages", summary: "Returns the prepared content of a named message.",
                outputs: [.result, .preparing], components: ["Message": Self.schema], problems: [.storageFailed],
                handler: content),
            Route(
                method: .put, path: Self.path, operation: "putMessage", scope: .submit,
                parameters: .of(
                    Self.messageName, .group, Self.profiles, Self.messageExpiry, Self.messageWait, .ifMatch,
                    .ifNoneMatch), body: .init(), example: .notification, concernsRequests: true, metric: "messages",
                summary: "Stores a payload under a name, and prepares it for profiles.",
                outputs: [.message, .created, .accepted],
                problems: [.notJSON, .unusable, .otherVersion, .tooLarge, .full, .storageFailed]
            ) { arguments throws(Problem) in
                let options = try MessageOptions(arguments)
                return { input throws(Problem) in try await put(options, consume input) }
            },
            Route(
                method: .delete, path: Self.path, operation: "deleteMessage", scope: .submit,
                parameters: .of(Self.messageName, .group, .ifMatch), concernsRequests: true, metric: "messages",
                summary: "Removes a named message, and stops to hold its files.",
                outputs: [.init(status: 204, meaning: "The message is removed.")],
                problems: [.otherVersion, .storageFailed]
            ) { arguments throws(Problem) in
                let (key, condition) = (try arguments.message(), try arguments.condition())
                return { _ throws(Problem) in
                    let answer = await messages.remove(key, if: condition)
                    guard answer == .removed else { throw Problem(answer, about: key) }
                    return .noContent
                }
            },
        ]
    }

    /// Returns the content of a message for the asked or for its first profile, or its state if it is still being
    /// prepared after the wait.
    private func content(_ arguments: RouteArguments) throws(Problem) -> Route.Handler {
        let (key, wait, asked) = (try arguments.message(), try arguments[.wait], try arguments[Self.profile])
        return { input throws(Problem) in
            var message = try Self.message(await messages.find(key), about: key)
            if wait > .zero, message.state(for: asked ?? message.profile) == .preparing {
                let end = context.clock.now.advanced(by: wait)
                await messages.waitForPreparation(of: key, until: end, unless: input.gone)
                if input.gone.isSignalled { return .clientGone }
                message = try Self.message(await messages.find(key), about: key)
            }
            let profile = asked ?? message.profile
            switch message.state(for: profile) {
            case nil:
                let names = message.preparations.map(\.profile.name).joined(separator: ", ")
                throw Problem(.notFound, "The message '\(key.name)' is prepared for \(names), not for \(profile.name).")
            case .preparing?: return .response(Self.response(to: message, status: .accepted))
            case .refused(let problem)?:
                throw Problem(
                    .notFound, "The message '\(key.name)' has no content for \(profile.name): \(problem)",
                    members: ["name": .string(key.name.description)])
            case .prepared?:
                guard let content = await messages.content(of: message, for: profile) else {
                    throw Problem(.storageFailed, "The content of the message could not be read. Try again later.")
                }
                var response = Response.content(content)
                response.headers[.eTag] = message.entityTag
                return .response(response)
            }
        }
    }

    /// Stores a message, and waits for its preparation if the caller prefers that.
    private func put(_ options: MessageOptions, _ input: consuming Route.Input) async throws(Problem) -> Route.Answer {
        try context.checkAccepting()
        let (arrival, gone) = (context.clock.reading, input.gone)
        let stored = await Task(executorPreference: context.large.executor(forBytes: input.body.count)) {
            [self, input = consume input] in await store(input, options, arrival)
        }.value
        let answer = try stored.get()
        var message = try Self.message(answer, about: options.key)
        if let wait = options.preferences.wait, message.isPreparing {
            await messages.waitForPreparation(of: options.key, until: arrival.instant.advanced(by: wait), unless: gone)
            if gone.isSignalled { return .clientGone }
            if case .stored(let latest, _) = await messages.find(options.key), latest.version == message.version {
                message = latest
            }
        }
        var isNew = false
        if case .stored(_, true) = answer { isNew = true }
        var response = Self.response(to: message, status: message.isPreparing ? .accepted : isNew ? .created : .ok)
        let name = PercentEncoding.text(of: options.key.name.description)
        response.headers[.location] = "/v1/messages/\(name)?group=\(options.key.group)"
        if options.preferences.takesLater { response.headers[.preferenceApplied] = options.preferences.applied }
        return .response(response)
    }

    private func store(_ input: consuming Route.Input, _ options: MessageOptions, _ arrival: ClockReading) async
        -> Result<MessageAnswer, Problem>
    {
        do throws(Problem) {
            let values = try await context.values.leaseForValues(of: input.body)
            var submission = Submission(
                object: try .payload(input.body), channel: .detached, arrival: arrival, group: options.key.group,
                lease: values ?? input.lease)
            submission.permittedGroups = options.groups
            return .success(
                await messages.put(
                    submission, as: options.key, for: options.profiles, until: options.expiry, if: options.condition))
        } catch { return .failure(error) }
    }

    private static func message(_ answer: MessageAnswer, about key: MessageKey) throws(Problem) -> NamedMessage {
        guard case .stored(let message, _) = answer else { throw Problem(answer, about: key) }
        return message
    }

    private static func response(to message: NamedMessage, status: HTTPResponse.Status) -> Response {
        var response = Response.json(message.json, status: status)
        response.headers[.eTag] = message.entityTag
        if status == .accepted { response.headers[.retryAfter] = "1" }
        return response
    }
}

extension Route.Output {
    private static let schema: JSONValue = .component("Message")

    fileprivate static let message = json("The message replaces another one, and is prepared.", schema)
    fileprivate static let created = json(status: 201, "The message is new, and is prepared.", schema)
    fileprivate static let accepted = json(
        status: 202, "The message is durable, and is being prepared. `Location` is its path.", schema)
    fileprivate static let preparing = json(
        status: 202, "The message is being prepared. `Retry-After` has the time of the next try.", schema)
}
