package import NotificationModel
package import Primitives

/// The pipeline that turns a request into its processed content, in time. Its steps are in this file, in their order.
///
/// **Input.** A `NotificationRequest`. A dialect reads its payload by the ``PayloadRules`` in force.
///
/// **Output.** Exactly one `ProcessedNotification` for each processed request, at its deadline or earlier. For a media
/// item that fails or is late, the result has a reason, and the text is always emitted. The store then records the
/// files that were shown.
///
/// **Refused.** A planned request whose media items the workers cannot finish in time is refused before it is accepted.
/// `reject(_:because:)` makes the result of an unusable envelope. Media items that the receiver, the profile or the
/// limit of 32 exclude are not fetched.
///
/// **Threads.** A request runs in its caller's task, on the cooperative pool. Its media items run in child tasks, and
/// transcodes that requests share run in separate tasks, on the executor of the network. A fetch and a transcode then
/// begin and end without a change of thread. No call blocks its thread for long. A media item that waits for a permit is
/// suspended.
///
/// **Cancellation.** `PlannedRequest.cancel()` decides a request, which is then emitted at once as cancelled. At the
/// decision the caller emits the result. The pipeline cancels the unfinished media items, and waits for their end.
package final class NotificationPipeline: Sendable {
    /// The time for which refused requests wait for each other.
    private static let refusalBatch: Duration = .milliseconds(50)

    let rules: @Sendable () -> PayloadRules
    let tables: (any StringTableReading)?
    let fetcher: any MediaFetching
    let renditions: RenditionService
    let store: any MediaStoring
    private let mediaPermits: AsyncSemaphore
    /// The batches in which requests are refused if the workers cannot finish their media in time.
    /// docs/operate/reliability.md has the gain under overload.
    private let refusals: TaskBatches
    let clock: any RequestClock
    private let executor: (any TaskExecutor)?

    /// Creates the pipeline over its ports.
    ///
    /// - Parameter rules: A function that returns the rules in force. It is called once for each request.
    /// - Parameter tables: The string tables of the receivers' languages; `nil` if alerts are not localized.
    /// - Parameter mediaInFlight: The number of media items that are processed at a time, over all requests. The other
    ///   media items wait for a permit, at most until their own deadline.
    /// - Parameter executor: The executor of media items and of the work that requests share; `nil` for the executor of
    ///   the caller.
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
        self.executor = executor
    }

    // MARK: The steps of a request

    /// Processes a request: plans it, prepares its media items, emits its result when it is decided, and records the
    /// files that the result shows. The coordinator of the daemon takes the same steps, and makes the result durable.
    ///
    /// - Parameter emit: A function that takes the result. The function runs while unfinished media items end.
    /// - Throws: A `MediaFailure` after the emission, if the index could not record the files.
    package func process(
        _ request: NotificationRequest, emit: (ProcessedNotification) -> Void
    ) async throws(MediaFailure) {
        let planned = await plan(request)
        async let media: Void = planned.prepareMedia { _ in }
        emit(await planned.notification())
        await media
        try await planned.record()
    }

    /// Returns the failure `overloaded` if none of the media items of a request can be complete in time; otherwise
    /// `nil`.
    package func overload(of planned: PlannedRequest) async -> MediaFailure? {
        let needs = planned.needs
        var overload: MediaFailure?
        for item in planned.plan.media where item.refusal == nil {
            guard item.fetchRefusal == nil,
                let refusal = renditions.refusal(for: needs.flow(of: item), until: planned.stagesEnd)
            else { return nil }
            let (group, date) = (planned.request.appGroup, needs.until)
            if await store.find(needs.storedKeys(of: item), in: group, until: date) != nil { return nil }
            for location in item.locations where await !fetcher.wouldDownload(location) { return nil }
            overload = refusal
        }
        if overload != nil, clock.now.duration(to: planned.stagesEnd) > Self.refusalBatch * 20 {
            await refusals.waitForEnd()
        }
        return overload
    }

    /// Forgets the renditions that were made recently. The store still has the renditions whose files exist.
    package func forgetRenditions() { renditions.forgetAll() }

    /// Returns the result of a request whose envelope is unusable.
    package func reject(_ request: NotificationRequest, because problem: String) -> ProcessedNotification {
        let payload = rules().reading(of: request)
        let plan = MediaPlan(PushPayload(), for: request, date: clock.date)
        return NotificationComposer(request: request, payload: payload, plan: plan, now: clock.now).reject(problem)
    }

    // A task that waits for media has the values of inlined functions in its frame. Without `@inline(never)` in this
    // target, 10,000 waiting requests take 250 MB of private memory instead of 224.

    /// Prepares all media items of a request at the same time, with a timer for the end of its stages. When the request
    /// is decided, the unfinished media items are cancelled. The call returns when they have ended.
    func prepareMedia(
        of planned: PlannedRequest, progress: @escaping @Sendable (ProcessingStep) -> Void
    ) async {
        let race = planned.race
        // If the deadline has already passed, for example for a request from the journal, no media item is started.
        guard clock.now < planned.stagesEnd else { return race.send(.deadlineReached) }
        await withTaskGroup { group in
            for indices in planned.wanted {
                let work: @concurrent @Sendable () async -> Void = { [self] in
                    await prepare(indices, of: planned, progress: progress)
                }
                // Decoding the bytes of a payload would delay the other media items of the executor. With `nil` for an
                // executor, optimized code of Swift 6.3 does not inherit the executor of the caller.
                if let executor, !indices.contains(where: { planned.plan.media[$0].reference.isInline }) {
                    _ = group.addTaskUnlessCancelled(executorPreference: executor, operation: work)
                } else {
                    _ = group.addTaskUnlessCancelled(operation: work)
                }
            }
            _ = group.addTaskUnlessCancelled { [self] in
                if !planned.request.isWarming { await clock.sleep(until: planned.partsBegin(at: clock.now)) }
                await endStages(of: planned)
            }
            _ = await race.decision()
            group.cancelAll()
        }
    }

    /// Prepares a media item, and reports its result to the race. If the item fails, its stand-ins (the thumbnails that
    /// may replace it) are prepared one by one until one succeeds.
    private func prepare(
        _ indices: [Int], of planned: PlannedRequest, progress: @Sendable (ProcessingStep) -> Void
    ) async {
        var isThere = false
        for index in indices {
            let ending =
                isThere
                ? .failed(ProfileFilter.attachmentIsThere)
                : await prepare(index, of: planned, progress: progress)
            planned.endVideo(at: index, as: ending)
            let takesSubstitute = ending.failure?.leavesPart ?? false
            planned.race.send(.ended(index, ending, takesSubstitute: takesSubstitute))
            isThere =
                isThere || ending.failure == nil || takesSubstitute && planned.race.hasSubstitute(for: index)
        }
    }

    /// Prepares a media item. If the circuit breaker of its host is open, and closes before the deadline, the item is
    /// prepared again. While the item waits, it holds no permit and none of the values of its preparation.
    private func prepare(
        _ index: Int, of planned: PlannedRequest, progress: @Sendable (ProcessingStep) -> Void
    ) async -> MediaResult {
        let trace = planned.trace(of: index)
        defer { planned.endArrival(of: index) }
        while true {
            guard await mediaPermits.acquire(elseWait: { trace.enter(.queue) }) else { return .failed(.cancelled) }
            trace.leave()
            progress(.started)
            if let result = await prepareWithPermit(index, of: planned, progress: progress) { return result }
        }
    }

    /// Prepares a media item that has a permit, and releases the permit.
    ///
    /// - Returns: `nil` if the circuit breaker of the item's host was open, and the item must be prepared again.
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
        return failure.leavesPart ? await part(at: index, of: planned, after: failure) ?? result : result
    }

    /// Waits for the video to which a mask belongs. During the wait, the mask holds no permit, because the video may
    /// need the permit.
    ///
    /// - Returns: The longest side of the video, in pixels; `nil` if there is no video.
    @inline(never)
    private func sideOfVideo(
        of item: PlannedMedia, _ hasPermit: inout Bool
    ) async throws(MediaFailure) -> Int? {
        guard item.isMask, let video = item.videoSide else { return nil }
        item.trace.enter(.queue)
        mediaPermits.release()
        hasPermit = false
        let side = await video.wait()
        hasPermit = await mediaPermits.acquire(elseWait: {})
        guard hasPermit else { throw .cancelled }
        item.trace.leave()
        return side
    }

    /// Returns the stored renditions of one media item, and makes them if they are missing.
    ///
    /// - Parameter hasPermit: Whether the media item has its permit. It has no permit if it was cancelled while it
    ///   waited for its video.
    @inline(never)
    private func prepareInTurn(
        _ index: Int, of planned: PlannedRequest, _ hasPermit: inout Bool
    ) async -> MediaResult {
        let (item, needs) = (planned.plan.media[index], planned.needs)
        let group = planned.request.appGroup
        let deadline = planned.stagesEnd
        let trace = item.trace
        let mark = store.purgeMark
        let permit = renditions.permit(for: needs.flow(of: item), until: deadline)
        defer { permit.release() }
        do throws(MediaFailure) {
            let recipe = needs.recipe(of: item)
            if let stored = await store.find(needs.storedKeys(of: item), in: group, until: needs.until) {
                return try .of(item, stored, recipe: recipe, cache: .hit)
            }
            if let refusal = item.fetchRefusal { throw refusal }
            var source = try await fetch(item, for: planned, permit)
            item.arriving.end()
            if !item.reference.isInline { source.origin.urls.append(item.reference.url) }
            source.origin.mark = mark
            let order = needs.order(of: item, videoSide: try await sideOfVideo(of: item, &hasPermit))
            let made = try await renditions.make(
                TranscodeRequest(
                    source: source, form: order.form, options: item.reference.options,
                    deadline: deadline, trace: trace, permit: permit,
                    makeFile: { [store] use throws(MediaFailure) in try store.scratchFile(for: use, in: group) }),
                by: order.recipe, in: group, until: needs.until)
            return try .of(item, made, recipe: recipe, cache: source.cache)
        } catch {
            trace.leave()
            return .failed(error)
        }
    }

    /// Fetches a media item from the first location that has it. After an HTTP error status the next location is tried.
    /// Any other failure ends the fetch.
    private func fetch(
        _ item: PlannedMedia, for planned: PlannedRequest, _ permit: any TranscodePermit
    ) async throws(MediaFailure) -> FetchedMedia {
        let (group, deadline) = (planned.request.appGroup, planned.stagesEnd)
        var failure = MediaFailure(.invalidURL, "there is no URL to fetch the media item from")
        for location in item.locations {
            var request = FetchRequest(
                url: location, deadline: deadline, trace: item.trace,
                willDownload: { () throws(MediaFailure) in try permit.acquire() },
                makeFile: { [store] () throws(MediaFailure) in try store.scratchFile(for: .download, in: group) })
            request.declared = (item.reference.declaredByteCount, item.reference.declaredType?.kind)
            request.rank = planned.needs.rank
            request.arriving = item.arriving
            var result = await fetcher.fetch(request)
            if case .failure(let refusal) = result, [.overloaded, .workerCrashed].contains(refusal.reason) {
                // The refused permit may belong to another request, which began the same download.
                try permit.acquire()
                result = await fetcher.fetch(request)
            }
            if case .failure(let failure) = result, failure.reason == .storageFailed {
                item.arriving.startAgain()
                guard await store.freeSpaceForDownload() else { throw failure }
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
    /// The longest side of the shown file, in pixels; `nil` if the media item failed.
    var longestSide: Int? {
        guard let attachment else { return nil }
        return max(attachment.asset.info.width, attachment.asset.info.height)
    }
}
