import Base
import NotificationModel

/// The stills of media whose downloads fail or do not end in time. A still shows the first bytes of a file.
extension PlannedRequest {
    /// Makes stills of the media items whose downloads are running, and reports the end of the stages to the race.
    @inline(never)
    func endStages() async {
        let takesParts = !request.isWarming && !Task.isCancelled
        await withTaskGroup { group in
            for index in takesParts ? race.pending : [] {
                group.addTask { [self] in
                    guard let part = await part(at: index) else { return }
                    race.send(.substituted(index, part))
                }
            }
            await pipeline.clock.sleep(until: stagesEnd)
            if !Task.isCancelled { race.send(.deadlineReached) }
            group.cancelAll()
        }
    }

    /// Makes a still of the bytes of a media item that have arrived.
    ///
    /// - Parameter failure: The reason why the download has ended; `nil` while the download is running.
    /// - Returns: `nil` if no still can be made of the bytes, or if there is not enough time. The trace has the reason.
    @inline(never)
    func part(at index: Int, after failure: MediaFailure? = nil) async -> MediaResult? {
        let (item, group, store) = (plan.media[index], request.appGroup, pipeline.store)
        guard !request.isWarming, !item.arriving.bodies.isEmpty else { return nil }
        let reservation = pipeline.transcoder.partReservation(for: needs.flow(of: item), until: stagesEnd)
        defer { reservation.release() }
        do throws(MediaFailure) {
            try reservation.reserve()
            let source = await pipeline.fetcher.part(of: item.arriving, until: stagesEnd) {
                () throws(MediaFailure) in
                try store.scratchFile(for: .download, in: group)
            }
            guard let source else { return nil }
            let recipe = needs.recipe(of: item)
            // The media item's own trace has the stages of its download.
            let made = try await pipeline.renditions.make(
                TranscodeRequest(
                    source: source, form: needs.form(of: item), options: item.reference.options,
                    deadline: stagesEnd, trace: StageTrace(), reservation: reservation,
                    makeFile: { use throws(MediaFailure) in try store.scratchFile(for: use, in: group) }),
                by: recipe, in: group, until: needs.until)
            return try .of(item, made, recipe: recipe, cache: source.cache, after: failure)
        } catch {
            item.trace.stillFailure = error
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
