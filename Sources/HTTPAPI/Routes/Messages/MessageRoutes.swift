import HTTPTypes
import HummingbirdCore
import JSON
import NotificationModel
import Primitives

/// The handlers of named messages.
extension RouteHandlers {
    /// Returns the content of a message, or its state if it is still being prepared after the wait.
    ///
    /// - Parameter profile: The profile of the content; `nil` for the first profile of the message.
    func message(
        _ key: MessageKey, for profile: MediaProfile?, waiting wait: Duration, unless gone: AsyncEvent
    ) async throws(Problem) -> Answer {
        let messages = try messageIntake()
        var message = try Self.message(await messages.find(key), about: key)
        if wait > .zero, message.state(for: profile ?? message.profile) == .preparing {
            await messages.waitForPreparation(of: key, until: clock.now.advanced(by: wait), unless: gone)
            if gone.isSignalled { return .clientGone }
            message = try Self.message(await messages.find(key), about: key)
        }
        let profile = profile ?? message.profile
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

    /// Stores a message, and waits for its preparation if the caller prefers that.
    func putMessage(_ options: MessageOptions, _ input: consuming Route.Input) async throws(Problem) -> Answer {
        guard !daemon.isDraining else { throw Self.ending }
        let messages = try messageIntake()
        let (arrival, gone) = (clock.reading, input.gone)
        let stored = await Task(executorPreference: large.executor(forBytes: input.body.count)) {
            [self, input = consume input] in await store(input, options, arrival, in: messages)
        }.value
        let answer = try stored.get()
        var message = try Self.message(answer, about: options.key)
        if let wait = options.preferences.wait, message.isPreparing {
            await messages.waitForPreparation(
                of: options.key, until: arrival.instant.advanced(by: wait), unless: gone)
            if gone.isSignalled { return .clientGone }
            if case .stored(let latest, _) = await messages.find(options.key), latest.version == message.version {
                message = latest
            }
        }
        let isNew = answer.isNew
        var response = Self.response(to: message, status: message.isPreparing ? .accepted : isNew ? .created : .ok)
        response.headers[.location] = "/v1/messages/\(options.key.name)?group=\(options.key.group)"
        if options.preferences.takesLater { response.headers[.preferenceApplied] = options.preferences.applied }
        return .response(response)
    }

    private func store(
        _ input: consuming Route.Input, _ options: MessageOptions, _ arrival: ClockReading,
        in messages: any MessageIntake
    ) async -> Result<MessageAnswer, Problem> {
        do throws(Problem) {
            let values = try await self.values.leaseForValues(of: input.body)
            var submission = Submission(
                object: try Self.object(input.body), channel: .detached, arrival: arrival, group: options.key.group,
                lease: values ?? input.lease)
            submission.permittedGroups = options.groups
            return .success(
                await messages.put(
                    submission, as: options.key, for: options.profiles, until: options.expiry, if: options.condition))
        } catch {
            return .failure(error)
        }
    }

    func removeMessage(_ key: MessageKey, _ condition: VersionCondition) async throws(Problem) -> Response {
        let answer = try await messageIntake().remove(key, if: condition)
        guard answer == .removed else { throw Problem(answer, about: key) }
        return .noContent
    }

    private func messageIntake() throws(Problem) -> any MessageIntake {
        guard let messages else { throw Problem(.notFound, "This server stores no messages.") }
        return messages
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

extension MessageAnswer {
    fileprivate var isNew: Bool { if case .stored(_, let isNew) = self { isNew } else { false } }
}
