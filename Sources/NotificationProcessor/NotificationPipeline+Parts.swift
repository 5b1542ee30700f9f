import NotificationModel

/// Media whose downloads do not end in time: the stills of their first bytes.
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
    /// - Returns: `nil` if they show nothing, or if there is no time.
    @inline(never)
    func part(at index: Int, of planned: PlannedRequest) async -> NotificationAttachment? {
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
            return try NotificationAttachment(medium, made, recipe: recipe, cache: source.cache)
        } catch {
            return nil
        }
    }
}
