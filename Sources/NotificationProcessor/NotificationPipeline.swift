import JSON
package import NotificationModel

/// The program on one screen: a request goes in at the top, its processed content comes out at the bottom, in time.
///
/// Each step takes the value of the one before. A medium that fails or runs out of time leaves a reason in its place and
/// the rest goes on: text always comes out. The deadline belongs to the request, not to a step: when it is reached, what
/// is ready is composed and emitted, and only then are the stragglers cancelled and waited for. Cancelling the task that
/// processes a request takes the request back: it is emitted at once, as cancelled.
package struct NotificationPipeline: NotificationProcessing {
    private static let refusalBatch: Duration = .milliseconds(50)

    private let rules: @Sendable () -> PayloadRules
    private let tables: (any StringTableReading)?
    let fetcher: any MediaFetching
    let renditions: RenditionService
    let store: any MediaStoring
    private let mediaPermits: AsyncSemaphore
    /// Requests whose media the workers have no time for. docs/reliability.md has the gain under overload.
    private let refusals: TaskBatches
    let clock: any RequestClock

    /// - Parameters:
    ///   - rules: those in force, asked when a request is read and when it is processed.
    ///   - tables: of the receivers' languages.
    ///   - mediaInFlight: media that are worked on at a time, over all requests; the rest wait for their turn, and for no
    ///     longer than their own deadline.
    ///   - executor: of the work that requests share; `nil`: the pool.
    package init(
        rules: @escaping @Sendable () -> PayloadRules = { PayloadRules() }, tables: (any StringTableReading)? = nil,
        fetcher: any MediaFetching, transcoder: any MediaTranscoding, store: any MediaStoring,
        mediaInFlight: Int = 1_024, clock: any RequestClock, executor: (any TaskExecutor)? = nil
    ) {
        mediaPermits = AsyncSemaphore(permits: mediaInFlight)
        refusals = TaskBatches(clock: clock, length: Self.refusalBatch)
        self.rules = rules
        self.tables = tables
        self.fetcher = fetcher
        renditions = RenditionService(transcoder: transcoder, store: store, clock: clock, executor: executor)
        self.store = store
        self.clock = clock
    }

    package func reading(of request: NotificationRequest) -> PushPayload { rules().reading(of: request) }

    package func waitsForMedia(_ request: NotificationRequest, as reading: PushPayload) -> Bool {
        !MediaPlan.isSettled(reading, for: request, date: clock.date)
    }

    package func overload(of request: NotificationRequest, as reading: PushPayload) async -> MediaFailure? {
        let planned = PlannedRequest(request, reading, rules(), at: clock.arrival)
        let (group, needs) = (request.appGroup, planned.needs)
        var overload: MediaFailure?
        for medium in planned.plan.media where medium.refusal == nil {
            guard medium.fetchRefusal == nil,
                let refusal = renditions.refusal(for: needs.flow(of: medium), until: planned.stagesEnd)
            else { return nil }
            if let key = needs.key(of: medium), await store.kept(key, in: group, until: needs.until) != nil {
                return nil
            }
            if let pin = needs.pin(of: medium), await store.pinned(pin, in: group, until: needs.until) != nil {
                return nil
            }
            for location in medium.locations where await !fetcher.wouldDownload(location) { return nil }
            overload = refusal
        }
        if overload != nil, clock.now.duration(to: planned.stagesEnd) > Self.refusalBatch * 20 {
            await refusals.waitForEnd()
        }
        return overload
    }

    /// Forgets which renditions have been made lately. The store still knows those whose files are there.
    package func forgetRenditions() { renditions.forgetAll() }

    /// Reads a request and processes it.
    package func process(
        _ request: NotificationRequest, emit: @Sendable (ProcessedNotification) -> Void
    ) async throws(MediaFailure) {
        try await process(request, as: reading(of: request), queuedSince: nil, progress: { _ in }, emit: emit)
    }

    package func process(
        _ request: NotificationRequest, as reading: PushPayload, queuedSince: MonotonicInstant?,
        progress: @escaping @Sendable (ProcessingStep) -> Void,
        emit: @Sendable (ProcessedNotification) -> Void
    ) async throws(MediaFailure) {
        let planned = await plan(request, as: reading)
        if let queuedSince { planned.trace(queuedSince: queuedSince) }
        guard planned.plan.settled == nil else { return planned.emitSettled(at: clock.now, to: emit) }
        let record = await withAssembly(of: planned, progress: progress) { decision in
            planned.emit(decision, at: clock.now, to: emit)
        }
        if let record { try await store.record(record, in: request.appGroup) }
    }

    /// The result of a request whose envelope is unusable.
    package func reject(_ request: NotificationRequest, because problem: String) -> ProcessedNotification {
        let payload = reading(of: request)
        let plan = MediaPlan(PushPayload(), for: request, date: clock.date)
        return NotificationComposer(request: request, payload: payload, plan: plan, now: clock.now).reject(problem)
    }

    // Tasks that wait for media have the values of inlined functions in their frames: without `@inline(never)` in this target,
    // 10,000 waiting requests take 250 MB of private memory instead of 224.

    /// Decides all that is decided before media are worked on.
    @inline(never)
    func plan(_ request: NotificationRequest, as reading: PushPayload) async -> PlannedRequest {
        let rules = rules()
        guard let tables, !reading.localization.isEmpty else {
            return PlannedRequest(request, reading, rules, at: clock.arrival)
        }
        let localized = await localized(reading, of: request, rules, by: tables)
        return PlannedRequest(request, localized, rules, at: clock.arrival)
    }

    /// The payload as it was read, with its alert in the receiver's language as far as the tables are there in time.
    @inline(never)
    private func localized(
        _ reading: PushPayload, of request: NotificationRequest, _ rules: PayloadRules,
        by tables: any StringTableReading
    ) async -> PushPayload {
        let localizer = AlertLocalizer(tables: tables, defaultLanguage: rules.language)
        let language = (request.locale ?? reading.language).flatMap { LanguageTag($0) }
        let localized = await withTaskGroup(of: JSONObject?.self) { group in
            group.addTask {
                await localizer.localized(
                    request.payload, reading.localization, language: language, in: request.appGroup)
            }
            group.addTask {
                await clock.sleep(until: request.budget.stagesEnd)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next().flatMap(\.self)
        }
        guard let localized, localized != request.payload else { return reading }
        var again = rules.dialects.read(
            localized, requested: reading.dialect, in: rules.languages(of: request))
        again.detectedBy = reading.detectedBy
        return again
    }

    /// All media at once beside the deadline's timer; `emit` runs when the matter is decided.
    func withAssembly<Emitted: Sendable>(
        of planned: PlannedRequest, progress: @escaping @Sendable (ProcessingStep) -> Void,
        emit: (EmissionStateMachine<MediaResult>.Decision) -> Emitted
    ) async -> Emitted {
        let deadline = planned.stagesEnd
        let assembly = EmissionRace<MediaResult>(count: planned.plan.media.count)
        let wanted = planned.refuse(to: assembly)
        // Found too late, in a journal for instance: nothing is begun.
        if clock.now >= deadline { assembly.send(.deadlineReached) }
        return await withTaskGroup { group in
            // The handler learns of a cancel before the children, which would else end as failures of their own.
            let decision = await withTaskCancellationHandler {
                if assembly.isDecided { return await assembly.decision() }
                for indices in wanted {
                    _ = group.addTaskUnlessCancelled {
                        await prepare(indices, of: planned, progress: progress) { index, ending in
                            let takesSubstitute = ending.failure?.leavesPart ?? false
                            assembly.send(.ended(index, ending, takesSubstitute: takesSubstitute))
                            return ending.failure == nil || takesSubstitute && assembly.hasSubstitute(for: index)
                        }
                    }
                }
                _ = group.addTaskUnlessCancelled {
                    if !planned.request.isWarming { await clock.sleep(until: planned.partsBegin) }
                    await end(assembly, at: deadline, withPartsOf: planned)
                }
                return await assembly.decision()
            } onCancel: {
                assembly.send(.cancelled)
            }
            let emitted = emit(decision)
            group.cancelAll()
            return emitted
        }
    }

    /// Prepares a media item, and if that fails the ones that stand in for it, until one is there.
    ///
    /// - Parameter ended: takes the ending of a media item, and returns whether the item is shown, be it by its substitute.
    private func prepare(
        _ indices: [Int], of planned: PlannedRequest, progress: @Sendable (ProcessingStep) -> Void,
        ended: (Int, MediaResult) -> Bool
    ) async {
        var isThere = false
        for index in indices {
            let ending =
                isThere
                ? .failure(ProfileFilter.attachmentIsThere)
                : await prepare(index, of: planned, progress: progress)
            planned.endVideo(at: index, as: ending)
            isThere = ended(index, ending) || isThere
        }
    }

    /// Prepares a media item, as often as its host rests and works again before the deadline. The waits hold none of the
    /// values of the work, and no permit.
    private func prepare(
        _ index: Int, of planned: PlannedRequest, progress: @Sendable (ProcessingStep) -> Void
    ) async -> MediaResult {
        let trace = planned.trace(of: index)
        defer { planned.endArrival(of: index) }
        while true {
            guard await mediaPermits.acquire(elseWait: { trace.enter(.queue) }) else { return .failure(.cancelled) }
            trace.leave()
            progress(.started)
            if let result = await prepareWithPermit(index, of: planned, progress: progress) { return result }
        }
    }

    /// Prepares a media item that has a permit, and gives the permit back.
    ///
    /// - Returns: `nil` if its host has rested, and works again.
    @inline(never)
    private func prepareWithPermit(
        _ index: Int, of planned: PlannedRequest, progress: @Sendable (ProcessingStep) -> Void
    ) async -> MediaResult? {
        let trace = planned.trace(of: index)
        var hasPermit = true
        let result = await prepareInTurn(index, of: planned, &hasPermit)
        if hasPermit { mediaPermits.release() }
        guard let failure = result.failure else { return result }
        if let host = trace.takeRestingHost(), !planned.request.isWarming {
            trace.enter(.queue)
            progress(.waitsForHost)
            if await fetcher.waitForRest(of: host, until: planned.stagesEnd) { return nil }
            trace.leave()
        }
        guard failure.leavesPart, let shown = await part(at: index, of: planned, after: failure) else { return result }
        return .success(shown)
    }

    /// Waits for the video of a mask, without a permit: the video may need it.
    ///
    /// - Returns: the longest side of the video in pixels; `nil`: there is no video.
    @inline(never)
    private func sideOfVideo(
        of medium: PlannedMedia, _ hasPermit: inout Bool
    ) async throws(MediaFailure) -> Int? {
        guard medium.isMask, let video = medium.videoSide else { return nil }
        medium.trace.enter(.queue)
        mediaPermits.release()
        hasPermit = false
        let side = await video.wait()
        hasPermit = await mediaPermits.acquire(elseWait: {})
        guard hasPermit else { throw .cancelled }
        medium.trace.leave()
        return side
    }

    /// Turns the reference of one media item into its stored renditions.
    ///
    /// - Parameter hasPermit: whether the media item has its permit; it lacks it after a cancelled wait.
    @inline(never)
    private func prepareInTurn(
        _ index: Int, of planned: PlannedRequest, _ hasPermit: inout Bool
    ) async -> MediaResult {
        let (medium, needs) = (planned.plan.media[index], planned.needs)
        let group = planned.request.appGroup
        let deadline = planned.stagesEnd
        let trace = medium.trace
        let mark = store.purgeMark
        let permit = renditions.permit(for: needs.flow(of: medium), until: deadline)
        defer { permit.release() }
        do throws(MediaFailure) {
            let recipe = needs.recipe(of: medium)
            if let key = needs.key(of: medium), let kept = await store.kept(key, in: group, until: needs.until) {
                return .success(try NotificationAttachment(medium, kept, recipe: recipe, cache: .hit))
            }
            if let refusal = medium.fetchRefusal { throw refusal }
            if let pin = needs.pin(of: medium), let kept = await store.pinned(pin, in: group, until: needs.until) {
                return .success(try NotificationAttachment(medium, kept, recipe: recipe, cache: .hit))
            }
            var source = try await fetch(medium, for: planned, permit)
            medium.arriving.end()
            if !medium.reference.isInline { source.origin.urls.append(medium.reference.url) }
            source.origin.mark = mark
            let order = needs.order(of: medium, videoSide: try await sideOfVideo(of: medium, &hasPermit))
            let made = try await renditions.make(
                TranscodeRequest(
                    source: source, form: order.form, options: medium.reference.options,
                    deadline: deadline, trace: trace, permit: permit,
                    makeFile: { use throws(MediaFailure) in try store.scratchFile(for: use, in: group) }),
                by: order.recipe, in: group, until: needs.until)
            return .success(try NotificationAttachment(medium, made, recipe: recipe, cache: source.cache))
        } catch {
            trace.leave()
            return .failure(error)
        }
    }

    /// From the first place that has it. An answer without success sends to the next one, all else ends it.
    private func fetch(
        _ medium: PlannedMedia, for planned: PlannedRequest, _ permit: any TranscodePermit
    ) async throws(MediaFailure) -> FetchedMedia {
        let (group, deadline) = (planned.request.appGroup, planned.stagesEnd)
        var failure = MediaFailure(.invalidURL, "there is no URL to fetch the media item from")
        for location in medium.locations {
            var request = FetchRequest(
                url: location, deadline: deadline, trace: medium.trace,
                willDownload: { () throws(MediaFailure) in try permit.acquire() },
                makeFile: { () throws(MediaFailure) in try store.scratchFile(for: .download, in: group) })
            request.declared = (medium.reference.declaredByteCount, medium.reference.declaredType?.kind)
            request.rank = planned.needs.rank
            request.arriving = medium.arriving
            var result = await fetcher.fetch(request)
            if case .failure(let refusal) = result, [.overloaded, .workerCrashed].contains(refusal.reason) {
                // The permit that was refused may be the one of another request, which began the same download.
                try permit.acquire()
                result = await fetcher.fetch(request)
            }
            if case .failure(let failure) = result, failure.reason == .storageFailed {
                medium.arriving.startAgain()
                guard await store.makeRoomForDownload() else { throw failure }
                result = await fetcher.fetch(request)
            }
            switch result {
            case .success(let source): return source
            case .failure(let reason): failure = reason
            }
            guard failure.reason == .httpStatus else { break }
        }
        throw failure
    }
}

extension MediaResult {
    /// Longest side of the file that is shown, in pixels; `nil`: there is none.
    var longestSide: Int? {
        guard case .success(let attachment) = self else { return nil }
        return max(attachment.asset.info.width, attachment.asset.info.height)
    }
}
