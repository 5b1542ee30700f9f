import NotificationModel
import Primitives

/// The stills of media whose downloads fail or do not end in time. A still shows the first bytes of a file.
extension NotificationPipeline {
    /// Makes stills of the media items whose downloads are running, and reports the end of the stages to the race.
    @inline(never)
    func endStages(of planned: PlannedRequest) async {
        let takesParts = !planned.request.isWarming && !Task.isCancelled
        await withTaskGroup { group in
            for index in takesParts ? planned.race.pending : [] {
                group.addTask { [self] in
                    guard let part = await part(at: index, of: planned) else { return }
                    planned.race.send(.substituted(index, part))
                }
            }
            await clock.sleep(until: planned.stagesEnd)
            if !Task.isCancelled { planned.race.send(.deadlineReached) }
            group.cancelAll()
        }
    }

    /// Makes a still of the bytes of a media item that have arrived.
    ///
    /// - Parameter failure: The reason why the download has ended; `nil` while the download is running.
    /// - Returns: `nil` if no still can be made of the bytes, or if there is not enough time.
    @inline(never)
    func part(
        at index: Int, of planned: PlannedRequest, after failure: MediaFailure? = nil
    ) async -> MediaResult? {
        let (item, needs, group) = (planned.plan.media[index], planned.needs, planned.request.appGroup)
        guard !planned.request.isWarming, !item.arriving.bodies.isEmpty else { return nil }
        let permit = renditions.partPermit(for: needs.flow(of: item), until: planned.stagesEnd)
        defer { permit.release() }
        do throws(MediaFailure) {
            try permit.acquire()
            let source = await fetcher.part(of: item.arriving, until: planned.stagesEnd) {
                [store] () throws(MediaFailure) in
                try store.scratchFile(for: .download, in: group)
            }
            guard let source else { return nil }
            let recipe = needs.recipe(of: item)
            // The media item's own trace has the stages of its download.
            let made = try await renditions.make(
                TranscodeRequest(
                    source: source, form: needs.form(of: item), options: item.reference.options,
                    deadline: planned.stagesEnd, trace: StageTrace(), permit: permit,
                    makeFile: { [store] use throws(MediaFailure) in try store.scratchFile(for: use, in: group) }),
                by: recipe, in: group, until: needs.until)
            return try .of(item, made, recipe: recipe, cache: source.cache, after: failure)
        } catch {
            return nil
        }
    }
}

extension MediaFailure {
    /// Whether the bytes that arrived before the failure may be shown as a still. The bytes may not be shown if their
    /// origin or their size is not permitted.
    var leavesPart: Bool {
        switch reason {
        case .budgetExceeded, .connectionLost, .truncated, .dnsFailed, .connectFailed, .tlsFailed, .httpStatus,
            .hostResting:
            true
        default: false
        }
    }
}
