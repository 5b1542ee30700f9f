import Authentication
import Base
import HTTPTypes
import HummingbirdCore
package import NotificationModel

/// The routes of single requests: to submit a payload, to look at a request, and to cancel one.
package struct NotificationRoutes: Sendable {
    let coordinator: any RequestIntake
    let context: CallContext

    package init(_ coordinator: any RequestIntake, _ context: CallContext) {
        (self.coordinator, self.context) = (coordinator, context)
    }

    /// The route that submits, which is the first one of the API.
    package var submission: Route {
        Route(
            method: .post, path: "/v1/notifications", operation: "submitNotification", scope: .submit,
            parameters: .of(.group, SubmitOptions.prefer, SubmitOptions.idempotencyKey, SubmitOptions.requestTimeout),
            body: .init(), example: .notification, concernsRequests: true, metric: "submit",
            summary: "Processes a payload and returns its result.", outputs: [.result, .accepted],
            problems: [.notJSON, .unusable, .idInUse, .tooLarge, .full, .storageFailed]
        ) { arguments throws(Problem) in
            let options = try SubmitOptions(arguments)
            return { input throws(Problem) in try await submit(options, consume input) }
        }
    }

    package var routes: [Route] {
        [
            Route(
                method: .get, path: "/v1/notifications/{id}", operation: "getNotification", scope: .read,
                parameters: .of(.id, .group, .wait), concernsRequests: true, metric: "look",
                summary: "Returns the state or the result of a request.", outputs: [.stateOrResult]
            ) { arguments throws(Problem) in
                let (key, wait) = (try arguments.key(), try arguments[.wait])
                return { input throws(Problem) in try await look(at: key, waiting: wait, unless: input.gone) }
            },
            Route(
                method: .delete, path: "/v1/notifications/{id}", operation: "cancelNotification", scope: .cancel,
                parameters: .of(.id, .group, Self.by), concernsRequests: true, metric: "cancel",
                summary: "Cancels a request, or all requests with a provider's id.", outputs: [.cancelled, .done],
                problems: [.alreadyEmitted], handler: cancel),
        ]
    }

    // MARK: Submitting

    private func submit(_ options: SubmitOptions, _ input: consuming Route.Input) async throws(Problem) -> Route.Answer
    {
        try context.checkAccepting()
        let (arrival, gone) = (context.clock.reading, input.gone)
        // A separate task frees its stack frames and the body before the connection waits for the result. As a
        // result, 10,000 waiting requests with bodies of 3.7 KB take 7 % less memory.
        let admission = await Task(executorPreference: context.large.executor(forBytes: input.body.count)) {
            [self, input = consume input] in await admit(input, options, arrival)
        }.value
        return try await result(of: try admission.get(), options.preferences, since: arrival, unless: gone)
    }

    private func admit(_ input: consuming Route.Input, _ options: SubmitOptions, _ arrival: ClockReading) async
        -> Result<Admission, Problem>
    {
        do throws(Problem) {
            let values = try await context.values.leaseForValues(of: input.body)
            var submission = Submission(
                body: input.body, object: try .payload(input.body), channel: options.channel, arrival: arrival,
                group: options.group, id: options.id, budget: options.budget, lease: values ?? input.lease)
            submission.permittedGroups = options.permittedGroups
            submission.mayReportReceipts = options.mayReportReceipts
            submission.permit = input.permit
            submission.trace = input.trace
            return .success(await coordinator.submit(submission))
        } catch { return .failure(error) }
    }

    private func result(
        of admission: Admission, _ preferences: Preferences, since arrival: ClockReading, unless gone: AsyncEvent
    ) async throws(Problem) -> Route.Answer {
        let key = try admission.key()
        var isReplayed = false
        if case .joined = admission { isReplayed = true }
        guard !preferences.respondsAsync || preferences.wait != nil else {
            return await later(key, preferences, isReplayed: isReplayed)
        }
        let ending: ContentWait.Ending
        if case .emitted(let content) = admission {
            ending = .content(content)
        } else {
            let patience = preferences.wait.map { arrival.instant.advanced(by: $0) }
            ending = await ContentWait(coordinator: coordinator, clock: context.clock).content(
                of: key, until: patience, unless: gone)
        }
        switch ending {
        case .content(let content?):
            var response = Response.content(content)
            if preferences.takesLater { response.headers[.preferenceApplied] = preferences.applied }
            if isReplayed { response.headers[.replayed] = "true" }
            return .result(response, key, coordinator)
        // The wait is cancelled when the daemon is forced to end. A request with no other caller is cancelled too. The
        // next daemon emits a request that this daemon accepted just before its end.
        case .content(nil) where Task.isCancelled || context.isDraining: throw .ending
        case .content(nil): throw Problem(.internal, "The result is missing.")
        case .late: return await later(key, preferences, isReplayed: isReplayed)
        case .gone:
            coordinator.keepUndelivered(key)
            return .clientGone
        }
    }

    private func later(_ key: RequestKey, _ preferences: Preferences, isReplayed: Bool) async -> Route.Answer {
        let state = await coordinator.state(of: key)?.name ?? "emitted"
        var response = Response.json(key.json(state: state), status: .accepted)
        response.headers[.location] = "/v1/notifications/\(key.id)?group=\(key.group)"
        response.headers[.preferenceApplied] = preferences.applied
        if isReplayed { response.headers[.replayed] = "true" }
        return .response(response)
    }

    // MARK: Looking and cancelling

    /// Returns the result of a request, or its state if it is still unfinished after the wait.
    ///
    /// - Parameter wait: The longest wait for the result.
    private func look(at key: RequestKey, waiting wait: Duration, unless gone: AsyncEvent) async throws(Problem)
        -> Route.Answer
    {
        let end = context.clock.now.advanced(by: wait)
        switch await coordinator.state(of: key) {
        case nil: throw .unknown(key)
        case .emitted(let content)?: return .response(.content(content))
        case let state? where wait == .zero: return .json(key.json(state: state.name))
        case .queued?, .running?: break
        }
        let ending = await ContentWait(coordinator: coordinator, clock: context.clock).content(
            of: key, until: end, unless: gone)
        switch ending {
        case .gone: return .clientGone
        case .content(let content?): return .response(.content(content))
        case .content(nil) where Task.isCancelled || context.isDraining: throw .ending
        case .content(nil), .late: return try await look(at: key, waiting: .zero, unless: gone)
        }
    }

    private func cancel(_ arguments: RouteArguments) throws(Problem) -> Route.Handler {
        guard try arguments[Self.by] == .provider else {
            let key = try arguments.key()
            return { _ throws(Problem) in try await cancel(key) }
        }
        let (id, group) = (try arguments[Self.providerID], try arguments[.group])
        let permitted: [AppGroupName?]? = arguments.caller.groups.listed
        let groups = group.map { [$0] } ?? permitted ?? [nil]
        return { _ throws(Problem) in
            var keys: [RequestKey] = []
            for group in groups { keys += await coordinator.cancel(providerID: id, in: group) }
            guard !keys.isEmpty else {
                let place = group.map { "in group '\($0)'" } ?? "in any group"
                throw Problem(
                    .notFound, "No running request \(place) has the provider's id '\(VisibleText.short(id, most: 64))'."
                )
            }
            return .json(["cancelled": .array(keys.map { $0.json() })])
        }
    }

    private func cancel(_ key: RequestKey) async throws(Problem) -> Route.Answer {
        switch await coordinator.cancel(key) {
        case .cancelled: return .noContent
        case .alreadyEmitted:
            throw Problem(
                .alreadyEmitted,
                "Request '\(key.id)' in group '\(key.group)' has been emitted: it is too late to cancel it.",
                members: key.members)
        case .unknown: throw .unknown(key)
        case .closing: throw .ending
        }
    }
}

/// The meaning of the id in the path of a cancellation.
private enum CancelledID { case request, provider }

extension NotificationRoutes {
    private static let by = Parameter<CancelledID>(
        "by", in: .query, "Whether the id is the id of a request, or the provider's id.",
        ["type": "string", "enum": ["id", "provider"], "default": "id"]
    ) { text, _ throws(Problem) in
        switch text {
        case nil, "id": return .request
        case "provider": return .provider
        case let other?: throw .parameter("by", "is \"\(other)\", which is neither id nor provider.")
        }
    }
    private static let providerID = Parameter<String>(path: "id", "The provider's id.")
}

extension Route.Output {
    fileprivate static let stateOrResult = json(
        "The state of an unfinished request, or the result.",
        ["anyOf": [.component("Result"), .component("RequestState")]])
    fileprivate static let accepted = json(
        status: 202, "The request is durable, and `Location` is the path of its result.", .component("RequestState"))
    fileprivate static let cancelled = json(
        "The requests with the provider's id that are cancelled.",
        .object(of: ["cancelled": ["type": "array", "items": .component("RequestKey")]]))
    fileprivate static let done = Route.Output(status: 204, meaning: "The result of the request is `cancelled`.")
}
