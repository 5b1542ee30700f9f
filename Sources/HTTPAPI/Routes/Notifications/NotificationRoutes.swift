import Authentication
import FoundationEssentials
import HTTPTypes
import HummingbirdCore
import JSON
import NotificationModel
import Primitives

/// The handlers of the routes. The handlers call the coordinator, and turn its results into responses.
///
/// A class, because each waiting request would keep copies of some 800 bytes of a structure.
final class RouteHandlers: Sendable {
    let coordinator: any RequestIntake
    let clock: any RequestClock
    let daemon: DaemonFacts
    let places: EventStreamPlaces
    let large: LargePayloadExecutor
    /// The memory for the values of bodies that contain many values.
    let values: BodyMemory
    /// The cache to purge; `nil` if the server has no cache.
    let cache: (any CachePurging)?
    /// The warming of media; `nil` if the server does not warm.
    let warming: (any WarmAnswering)?
    /// The downloads of renditions; `nil` if the server has none.
    let media: MediaServing?
    /// The batches; `nil` if the server has none.
    let batches: (any BatchIntake)?
    let batchPlaces: EventStreamPlaces
    let matrix: MatrixGateway
    /// The stored receivers; `nil` if the server has none.
    let receivers: (any ReceiverStoring)?
    /// The lists of emitted notifications; `nil` if the server has none.
    let listing: (any NotificationListing)?
    /// The recording of receipts; `nil` if the server takes none.
    let receipts: (any ReceiptIntake)?
    /// The check of receipts by signed URLs.
    let signedReceipts: SignedReceipts
    /// The callbacks; `nil` if the server has none.
    let callbacks: (any CallbackIntake)?
    /// The erasures; `nil` if the server has none.
    let erasing: (any ErasureIntake)?
    /// The named messages; `nil` if the server has none.
    let messages: (any MessageIntake)?

    init(
        coordinator: any RequestIntake, clock: any RequestClock, daemon: DaemonFacts, places: EventStreamPlaces,
        large: LargePayloadExecutor, values: BodyMemory, cache: (any CachePurging)?, warming: (any WarmAnswering)?,
        media: MediaServing?, batches: (any BatchIntake)?, batchPlaces: EventStreamPlaces, matrix: MatrixGateway,
        receivers: (any ReceiverStoring)?, listing: (any NotificationListing)?, receipts: (any ReceiptIntake)?,
        signedReceipts: SignedReceipts, callbacks: (any CallbackIntake)?, erasing: (any ErasureIntake)?,
        messages: (any MessageIntake)?
    ) {
        (self.coordinator, self.clock, self.daemon) = (coordinator, clock, daemon)
        (self.places, self.large, self.values) = (places, large, values)
        (self.cache, self.warming, self.media) = (cache, warming, media)
        (self.batches, self.batchPlaces, self.matrix) = (batches, batchPlaces, matrix)
        (self.receivers, self.listing, self.receipts) = (receivers, listing, receipts)
        (self.signedReceipts, self.callbacks) = (signedReceipts, callbacks)
        (self.erasing, self.messages) = (erasing, messages)
    }

    enum Answer: Sendable {
        case response(Response)
        /// A result for the caller that has waited for it.
        case result(Response, RequestKey)
        case events(EventFeed)
        /// Values that are written as they are produced, each on a line of its own.
        case lines(LineStreamWriter.Source)
        /// A response whose body is read from a file while it is written.
        case file(Response, MediaPart)
        /// The caller has disconnected, so no response is written.
        case clientGone
    }

    /// Refuses a request about requests while the daemon restores those of an earlier run.
    func checkPhase(for route: Route) throws(Problem) {
        guard route.concernsRequests, daemon.phase() == .starting else { return }
        throw Problem(
            .starting, "The daemon is restoring the requests of an earlier run: try again in 1 s.",
            headers: [.retryAfter: "1"])
    }

    func submit(_ options: SubmitOptions, _ input: consuming Route.Input) async throws(Problem) -> Answer {
        guard !daemon.isDraining else { throw Self.ending }
        let (arrival, gone) = (clock.reading, input.gone)
        // A separate task frees its stack frames and the body before the connection waits for the result. As a
        // result, 10,000 waiting requests with bodies of 3.7 KB take 7 % less memory.
        let admission = await Task(executorPreference: large.executor(forBytes: input.body.count)) {
            [self, input = consume input] in await admit(input, options, arrival)
        }.value
        return try await result(of: try admission.get(), options.preferences, since: arrival, unless: gone)
    }

    private func admit(
        _ input: consuming Route.Input, _ options: SubmitOptions, _ arrival: ClockReading
    ) async -> Result<Admission, Problem> {
        do throws(Problem) {
            let values = try await self.values.leaseForValues(of: input.body)
            var submission = Submission(
                body: input.body, object: try Self.object(input.body), channel: options.channel, arrival: arrival,
                group: options.group, id: options.id, budget: options.budget, lease: values ?? input.lease)
            submission.permittedGroups = options.permittedGroups
            submission.permit = input.permit
            submission.trace = input.trace
            return .success(await coordinator.submit(submission))
        } catch {
            return .failure(error)
        }
    }

    private func result(
        of admission: Admission, _ preferences: Preferences, since arrival: ClockReading, unless gone: AsyncEvent
    ) async throws(Problem) -> Answer {
        let key = try Self.key(of: admission)
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
            ending = await ContentWait(coordinator: coordinator, clock: clock).content(
                of: key, until: patience, unless: gone)
        }
        switch ending {
        case .content(let content?):
            var response = Response.content(content)
            if preferences.takesLater { response.headers[.preferenceApplied] = preferences.applied }
            if isReplayed { response.headers[.replayed] = "true" }
            return .result(response, key)
        // The wait is cancelled when the daemon is forced to end. A request with no other caller is cancelled too. The
        // next daemon emits a request that this daemon accepted just before its end.
        case .content(nil) where Task.isCancelled || daemon.isDraining: throw Self.ending
        case .content(nil): throw Problem(.internal, "The result is missing.")
        case .late: return await later(key, preferences, isReplayed: isReplayed)
        case .gone:
            coordinator.keepUndelivered(key)
            return .clientGone
        }
    }

    static func object(_ body: [UInt8]) throws(Problem) -> JSONObject {
        let value: JSONValue
        do throws(JSONSyntaxError) { value = try JSONParser.value(of: body) } catch {
            throw Problem(.notJSON, "The body must be one JSON object: \(error).")
        }
        guard let object = value.object else {
            let remedy = value.array == nil ? "" : ": send each element in its own request"
            throw Problem(.notJSON, "The body must be one JSON object, but it is \(value.typeName)\(remedy).")
        }
        return object
    }

    /// Returns the object of a short body or line.
    static func object(_ body: [UInt8], about noun: String) throws(Problem) -> JSONObject {
        let value: JSONValue
        do throws(JSONSyntaxError) { value = try JSONParser.value(of: body) } catch {
            throw Problem(.notJSON, "The \(noun) must be one JSON object: \(error).")
        }
        guard let object = value.object else {
            throw Problem(.notJSON, "The \(noun) must be one JSON object, but it is \(value.typeName).")
        }
        return object
    }

    static func key(of admission: Admission) throws(Problem) -> RequestKey {
        switch admission {
        case .accepted(let key), .joined(let key): return key
        case .emitted(let content): return content.key
        case .conflict(let key):
            throw Problem(
                .idInUse, "A request with another body has the id \(key.id) in \(key.group).", members: key.members)
        case .unusable(let error) where error.isForbidden:
            throw Problem(.forbidden, VisibleText.sentence("\(error)"), members: ["key": .string(error.key)])
        case .unusable(let error):
            throw Problem(.unusable, VisibleText.sentence("\(error)"), members: ["key": .string(error.key)])
        case .full(let time): throw full("", for: time)
        case .groupFull(let time):
            throw full("The app group has its largest number of unfinished requests. ", for: time)
        case .closing: throw Problem(.closing, "Try again in 1 s.", headers: [.retryAfter: "1"])
        // The sentence of the error is for the log only, because it may contain paths.
        case .failed: throw Problem(.storageFailed, "The request was not stored. Try again later.")
        }
    }

    private static func full(_ reason: String, for time: Duration) -> Problem {
        let seconds = max(1, Int(time.seconds.rounded(.up)))
        return Problem(.full, "\(reason)Try again in \(seconds) s.", headers: [.retryAfter: "\(seconds)"])
    }

    private func later(_ key: RequestKey, _ preferences: Preferences, isReplayed: Bool) async -> Answer {
        let state = await coordinator.state(of: key)?.name ?? "emitted"
        var response = Response.json(key.json(state: state), status: .accepted)
        response.headers[.location] = "/v1/notifications/\(key.id)?group=\(key.group)"
        response.headers[.preferenceApplied] = preferences.applied
        if isReplayed { response.headers[.replayed] = "true" }
        return .response(response)
    }

    /// Returns the result of a request, or its state if it is still unfinished after the wait.
    ///
    /// - Parameter wait: The longest wait for the result.
    func look(
        at key: RequestKey, waiting wait: Duration, unless gone: AsyncEvent
    ) async throws(Problem) -> Answer {
        let end = clock.now.advanced(by: wait)
        switch await coordinator.state(of: key) {
        case nil: throw .unknown(key)
        case .emitted(let content)?: return .response(.content(content))
        case let state? where wait == .zero: return .response(.json(key.json(state: state.name)))
        case .queued?, .running?: break
        }
        let ending = await ContentWait(coordinator: coordinator, clock: clock).content(
            of: key, until: end, unless: gone)
        switch ending {
        case .gone: return .clientGone
        case .content(let content?): return .response(.content(content))
        case .content(nil) where Task.isCancelled || daemon.isDraining: throw Self.ending
        case .content(nil), .late: return try await look(at: key, waiting: .zero, unless: gone)
        }
    }

    func cancel(_ key: RequestKey) async throws(Problem) -> Response {
        switch await coordinator.cancel(key) {
        case .cancelled: return .noContent
        case .alreadyEmitted:
            throw Problem(
                .alreadyEmitted,
                "Request '\(key.id)' in group '\(key.group)' has been emitted: it is too late to cancel it.",
                members: key.members)
        case .unknown: throw .unknown(key)
        case .closing: throw Self.ending
        }
    }

    /// Cancels the requests with a provider's id in one group, or in all groups of the caller.
    func cancel(
        providerID: String, in group: AppGroupName?, of groups: GroupPermission
    ) async throws(Problem) -> Response {
        var keys: [RequestKey] = []
        let listed: [AppGroupName?]? = groups.listed
        let searched = group.map { [$0] } ?? listed ?? [nil]
        for group in searched {
            keys += await coordinator.cancel(providerID: providerID, in: group)
        }
        guard !keys.isEmpty else {
            let place = group.map { "in group '\($0)'" } ?? "in any group"
            throw Problem(
                .notFound,
                "No running request \(place) has the provider's id '\(VisibleText.short(providerID, most: 64))'."
            )
        }
        return .json(["cancelled": .array(keys.map { $0.json() })])
    }

    func purge(_ body: [UInt8]) async throws(Problem) -> Response {
        guard let cache else { throw Problem(.notFound, "This server has no cache.") }
        let target = try PurgeTarget(Self.object(body))
        defer { media?.forget() }
        do throws(MediaFailure) { return .json(try await cache.purge(target).json) } catch {
            guard error.reason == .storageFailed else { throw Problem(.badRequest, VisibleText.sentence(error.detail)) }
            throw Problem(.storageFailed, "A file or a row could not be removed. The log has the details.")
        }
    }

    func warm(_ input: consuming Route.Input, in groups: GroupPermission) throws(Problem) -> Answer {
        guard !daemon.isDraining else { throw Self.ending }
        guard let warming else { throw Problem(.notFound, "This server does not warm media.") }
        return .lines(
            .init { [input = consume input] write in
                await warming.answer(input.body, in: groups) { values in
                    await write(values.flatMap { JSONWriter.bytes(of: $0) + [UInt8(ascii: "\n")] })
                }
                withExtendedLifetime(input.lease) {}
            })
    }

    /// Returns the state of the daemon. Its figures come from the requests of all groups, so only a caller with all groups
    /// gets them.
    func status(for groups: GroupPermission) -> Response {
        .json(daemon.status(at: clock.now, load: coordinator.load, withFigures: groups == .all))
    }

    var metrics: Response { .text(daemon.metrics(), type: "text/plain; version=0.0.4; charset=utf-8") }

    var readiness: Response {
        guard let obstacle = daemon.obstacle else { return .text(daemon.readiness) }
        return .text(obstacle + "\n", status: .serviceUnavailable)
    }

    /// Returns the events of all requests.
    ///
    /// - Parameter id: The last event that the client has received. If the daemon does not have it any more, the stream
    ///   begins with the event `gap` and the emissions since then from the lists.
    /// - Parameter start: The time from which emissions are repeated for a client without an earlier event.
    func feed(
        _ filter: EventFilter, after id: String?, from start: Date?, for caller: Caller
    ) async throws(Problem) -> EventFeed {
        let place = try place(for: caller)
        var filter = filter
        if let name = filter.recipients?.first {
            filter.recipients = await allNames(of: name, in: filter.group ?? .default)
        }
        let subscription = coordinator.subscribe(after: id)
        let now = clock.date
        var feed = EventFeed(events: subscription.events, for: caller, filter, at: place)
        if !subscription.isWhole, let id {
            let first = EventReplay.place(after: id)
            let date = first.map(ListedNotification.date)
            let isListed = if let listing, let date { await listing.reaches(date) } else { false }
            feed.beginning.append(EventText.gap(from: date, to: now, isRepeated: isListed))
            if listing != nil, let first { feed.replay = EventReplay(listing, filter, from: first, until: now) }
        } else if id == nil, let start {
            feed.replay = EventReplay(listing, filter, from: ListedNotification.place(of: start), until: now)
        }
        return feed
    }

    func feed(of key: RequestKey, after id: String?, for caller: Caller) async throws(Problem) -> EventFeed {
        // The subscription begins before the state is read, so that an emission between the two is not lost.
        let events = coordinator.events(after: id)
        return switch await coordinator.state(of: key) {
        case nil: throw .unknown(key)
        case .emitted(let content)?: EventFeed(ended: content)
        case .queued?, .running?:
            EventFeed(events: events, for: caller, EventFilter(key: key), at: try place(for: caller))
        }
    }

    private func place(for caller: Caller) throws(Problem) -> EventStreamPlaces.Place {
        if let place = places.take(by: caller) { return place }
        throw Problem(
            .full,
            "All \(places.most) event streams are in use. Close a stream that is not needed, or try again in 5 s.",
            members: ["most": .number(JSONNumber(places.most))], headers: [.retryAfter: "5"])
    }

    static var ending: Problem {
        Problem(.closing, "The daemon is ending.", headers: [.retryAfter: "1"])
    }
}

extension RequestState {
    fileprivate var name: String {
        switch self {
        case .queued: "queued"
        case .running: "running"
        case .emitted: "emitted"
        }
    }
}

extension RequestKey {
    var members: JSONObject {
        ["id": .string(id.description), "appGroup": .string(group.description)]
    }

    fileprivate func json(state: String? = nil) -> JSONValue {
        var object = members
        if let state { object.append("state", .string(state)) }
        return .object(object)
    }
}
