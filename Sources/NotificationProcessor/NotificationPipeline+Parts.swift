import NotificationModel

/// Media whose downloads fail or do not end in time: the stills of their first bytes.
extension NotificationPipeline {
    /// Makes stills of the media that are still downloaded, and tells the assembly of the deadline.
    @inline(never)
    func end(
        _ assembly: EmissionRace<MediaResult>, at deadline: MonotonicInstant, withPartsOf planned: PlannedRequest
    ) async {
        let takesParts = !planned.request.isWarming && !Task.isCancelled
        await withTaskGroup { group in
            for index in takesParts ? assembly.pending : [] {
                group.addTask {
                    guard let part = await part(at: index, of: planned) else { return }
                    assembly.send(.substituted(index, .success(part)))
                }
            }
            await clock.sleep(until: deadline)
            if !Task.isCancelled { assembly.send(.deadlineReached) }
            group.cancelAll()
        }
    }

    /// Makes a still of the bytes that have arrived of a medium.
    ///
    /// - Parameter failure: why the download has ended; `nil` while it goes on.
    /// - Returns: `nil` if the bytes show nothing, or if there is no time.
    @inline(never)
    func part(
        at index: Int, of planned: PlannedRequest, after failure: MediaFailure? = nil
    ) async -> NotificationAttachment? {
        let (medium, needs, group) = (planned.plan.media[index], planned.needs, planned.request.appGroup)
        guard !planned.request.isWarming, !medium.arriving.bodies.isEmpty else { return nil }
        let permit = renditions.partPermit(for: needs.flow(of: medium), until: planned.stagesEnd)
        defer { permit.release() }
        do throws(MediaFailure) {
            try permit.acquire()
            let source = await fetcher.part(of: medium.arriving, until: planned.stagesEnd) { () throws(MediaFailure) in
                try store.scratchFile(for: .download, in: group)
            }
            guard let source else { return nil }
            let recipe = needs.recipe(of: medium)
            // The stages of the medium are those of its download.
            let made = try await renditions.make(
                TranscodeRequest(
                    source: source, form: needs.form(of: medium), options: medium.reference.options,
                    deadline: planned.stagesEnd, trace: StageTrace(), permit: permit,
                    makeFile: { use throws(MediaFailure) in try store.scratchFile(for: use, in: group) }),
                by: recipe, in: group, until: needs.until)
            var shown = try NotificationAttachment(medium, made, recipe: recipe, cache: source.cache)
            // The still is shared with requests that are out of time.
            if let failure, let part = shown.reduction { shown.reduction = part.after(failure) }
            return shown
        } catch {
            return nil
        }
    }
}

extension MediaFailure {
    /// Whether the bytes that arrived before it are worth a still. Their origin was permitted, and so was their size.
    var leavesPart: Bool {
        switch reason {
        case .budgetExceeded, .connectionLost, .truncated, .dnsFailed, .connectFailed, .tlsFailed, .httpStatus,
            .hostResting:
            true
        default: false
        }
    }
}
