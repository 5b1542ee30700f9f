import Base
package import NotificationModel

/// The steps of the media items of a request, in their order: find the renditions, or fetch the item, transcode it and
/// store the renditions.
extension PlannedRequest {
    // A task that waits for media has the values of inlined functions in its frame. Without `@inline(never)` in this
    // target, 10,000 waiting requests take 250 MB of private memory instead of 224.

    /// Prepares all media items of a request at the same time, with a timer for the end of its stages. When the request
    /// is decided, the unfinished media items are cancelled. The call returns when they have ended.
    package func prepareMedia(progress: @escaping @Sendable (ProcessingStep) -> Void) async {
        guard !isDecided else { return }
        // If the deadline has already passed, for example for a request from the journal, no media item is started.
        guard pipeline.clock.now < stagesEnd else { return race.send(.deadlineReached) }
        await withTaskGroup { group in
            for indices in wanted {
                let work: @concurrent @Sendable () async -> Void = { [self] in
                    await prepareUntilOneSucceeds(indices, progress)
                }
                // Decoding the bytes of a payload would delay the other media items of the executor. With `nil` for an
                // executor, optimized code of Swift 6.3 does not inherit the executor of the caller.
                if let executor = pipeline.executor, !indices.contains(where: { plan.media[$0].reference.isInline }) {
                    _ = group.addTaskUnlessCancelled(executorPreference: executor, operation: work)
                } else {
                    _ = group.addTaskUnlessCancelled(operation: work)
                }
            }
            _ = group.addTaskUnlessCancelled { [self] in
                if !request.isWarming { await pipeline.clock.sleep(until: partsBegin(at: pipeline.clock.now)) }
                await endStages()
            }
            _ = await race.decision()
            group.cancelAll()
        }
    }

    /// Prepares a media item, and reports its result to the race. If the item fails, its stand-ins (the thumbnails that
    /// may replace it) are prepared one by one until one succeeds.
    private func prepareUntilOneSucceeds(
        _ indices: [Int], _ progress: @Sendable (ProcessingStep) -> Void
    ) async {
        var isThere = false
        for index in indices {
            let ending = isThere ? .failed(ProfileFilter.attachmentIsThere) : await prepareItem(index, progress)
            endVideo(at: index, as: ending)
            let takesSubstitute = ending.failure?.leavesPart ?? false
            race.send(.ended(index, ending, takesSubstitute: takesSubstitute))
            isThere = isThere || ending.failure == nil || takesSubstitute && race.hasSubstitute(for: index)
        }
    }

    /// Prepares a media item. If the circuit breaker of its host is open, and closes before the deadline, the item is
    /// prepared again. While the item waits, it holds no permit and none of the values of its preparation.
    private func prepareItem(_ index: Int, _ progress: @Sendable (ProcessingStep) -> Void) async -> MediaResult {
        let trace = trace(of: index)
        defer { endArrival(of: index) }
        while true {
            guard await pipeline.mediaPermits.acquire(elseWait: { trace.enter(.queue) }) else {
                return .failed(.cancelled)
            }
            trace.leave()
            progress(.started)
            if let result = await attempt(index, progress) { return result }
        }
    }

    /// Prepares a media item that has a permit, and releases the permit.
    ///
    /// - Returns: `nil` if the circuit breaker of the item's host was open, and the item must be prepared again.
    @inline(never)
    private func attempt(_ index: Int, _ progress: @Sendable (ProcessingStep) -> Void) async -> MediaResult? {
        let trace = trace(of: index)
        var hasPermit = true
        let result = await renditions(at: index, &hasPermit)
        if hasPermit { pipeline.mediaPermits.release() }
        guard let failure = result.failure else { return result }
        if let host = trace.takeCooldownHost(), !request.isWarming {
            trace.enter(.queue)
            progress(.waitsForHost)
            if await pipeline.fetcher.waitForCooldown(of: host, until: stagesEnd) { return nil }
            trace.leave()
        }
        return failure.leavesPart ? await part(at: index, after: failure) ?? result : result
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
        pipeline.mediaPermits.release()
        hasPermit = false
        let side = await video.wait()
        hasPermit = await pipeline.mediaPermits.acquire(elseWait: {})
        guard hasPermit else { throw .cancelled }
        item.trace.leave()
        return side
    }

    /// Returns the stored renditions of one media item, and makes them if they are missing.
    ///
    /// - Parameter hasPermit: Whether the media item has its permit. It has no permit if it was cancelled while it
    ///   waited for its video.
    @inline(never)
    private func renditions(at index: Int, _ hasPermit: inout Bool) async -> MediaResult {
        let (item, group, store) = (plan.media[index], request.appGroup, pipeline.store)
        let mark = store.purgeMark
        let reservation = pipeline.transcoder.reservation(for: needs.flow(of: item), until: stagesEnd)
        defer { reservation.release() }
        do throws(MediaFailure) {
            let recipe = needs.recipe(of: item)
            if let stored = await store.find(needs.storedKeys(of: item), in: group, until: needs.until) {
                return try .of(item, stored, recipe: recipe, cache: .hit)
            }
            if let refusal = item.fetchRefusal { throw refusal }
            var source = try await fetch(item, reservation)
            item.arriving.end()
            if !item.reference.isInline { source.provenance.urls.append(item.reference.url) }
            source.provenance.mark = mark
            let order = needs.order(of: item, videoSide: try await sideOfVideo(of: item, &hasPermit))
            let made = try await make(
                TranscodeRequest(
                    source: source, form: order.form, options: item.reference.options, deadline: stagesEnd,
                    trace: item.trace, reservation: reservation,
                    makeFile: { use throws(MediaFailure) in try store.scratchFile(for: use, in: group) }),
                by: order.recipe)
            return try .of(item, made, recipe: recipe, cache: source.cache, codingFault: source.codingFault)
        } catch {
            item.trace.leave()
            return .failed(error)
        }
    }

    /// Makes the renditions of a fetched item. An item whose content encoding has a fault is shown only if it is whole.
    @inline(never)
    private func make(
        _ transcode: TranscodeRequest, by recipe: RenditionRecipe
    ) async throws(MediaFailure) -> StoredRenditions {
        let (service, group) = (pipeline.renditions, request.appGroup)
        guard let fault = transcode.source.codingFault else {
            return try await service.make(transcode, by: recipe, in: group, until: needs.until)
        }
        // Nothing of such an item is kept, so warming it has no effect.
        guard !request.isWarming else { throw fault }
        var strict = transcode
        strict.form.damaged = .refuse
        do throws(MediaFailure) {
            return try await service.make(strict, by: recipe, in: group, until: needs.until)
        } catch { throw [.corruptMedia, .unsupportedMedia].contains(error.reason) ? fault : error }
    }

    /// Fetches a media item from the first location that has it. After an HTTP error status the next location is tried.
    /// Any other failure ends the fetch.
    private func fetch(
        _ item: PlannedMedia, _ reservation: any TranscodeReservation
    ) async throws(MediaFailure) -> FetchedMedia {
        let (group, store, fetcher) = (request.appGroup, pipeline.store, pipeline.fetcher)
        var failure = MediaFailure(.invalidURL, "there is no URL to fetch the media item from")
        for location in item.locations {
            var request = FetchRequest(
                url: location, deadline: stagesEnd, trace: item.trace,
                willDownload: { () throws(MediaFailure) in try reservation.reserve() },
                makeFile: { () throws(MediaFailure) in try store.scratchFile(for: .download, in: group) })
            request.declared = (item.reference.declaredByteCount, item.reference.declaredType?.kind)
            request.rank = needs.rank
            request.group = group
            request.arriving = item.arriving
            var result = await fetcher.fetch(request)
            if case .failure(let refusal) = result, [.overloaded, .workerCrashed].contains(refusal.reason) {
                // The refused reservation may be that of another request, which began the same download.
                try reservation.reserve()
                result = await fetcher.fetch(request)
            }
            if case .failure(let failure) = result, failure.reason == .storageFailed {
                item.arriving.startAgain()
                guard await store.freeSpaceForDownload() else { throw failure }
                result = await fetcher.fetch(request)
            }
            switch result {
            case .success(let source):
                if item.locations.count > 1 {
                    locator.keepPath(of: location, for: item.reference, at: pipeline.clock.date)
                }
                return source
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
