import FoundationEssentials
import NotificationModel

/// Makes and stores the renditions of a medium once for all who want the same ones: those who want them at the same time,
/// and those who come while they are remembered.
final class RenditionMaker: Sendable {
    /// What makes two renditions the same.
    struct Recipe: Hashable, Sendable {
        /// Of the source's bytes.
        var identity: String
        /// The profile's name.
        var profile: String
        /// What of the attachment's options changes the files.
        var thumbnail: String
        var group: AppGroupName
    }

    private let transcoder: any MediaTranscoding
    private let store: any MediaStoring
    private let work: SharedWork<Recipe, Result<KeptMedia, MediaFailure>>
    private let recent = Guarded(RecentRenditions())

    init(transcoder: any MediaTranscoding, store: any MediaStoring, executor: (any TaskExecutor)? = nil) {
        work = SharedWork(on: executor)
        self.transcoder = transcoder
        self.store = store
    }

    /// - Parameter date: the files are not removed before it.
    func make(
        _ request: TranscodeRequest, in group: AppGroupName, until date: Date
    ) async throws(MediaFailure) -> KeptMedia {
        let recipe = Recipe(
            identity: request.source.identity, profile: request.profile.name,
            thumbnail: request.options.thumbnailKey, group: group)
        if let made = recent.withLock({ $0[recipe] }), await store.hold(made.assets, in: group, until: date) {
            return made
        }
        let ending = await work.result(for: recipe, until: request.deadline) { [self] deadline in
            await makeAndStore(request, recipe, until: date, longest: deadline)
        }
        guard case .done(let result, let isOwn) = ending else { throw .cancelled }
        let made = try result.get()
        // What another one has stored is held for that one only.
        if !isOwn, !(await store.hold(made.assets, in: group, until: date)) {
            throw MediaFailure(.storageFailed, "the container has lost the file again")
        }
        return made
    }

    private func makeAndStore(
        _ request: TranscodeRequest, _ recipe: Recipe, until date: Date,
        longest deadline: SharedWork<Recipe, Result<KeptMedia, MediaFailure>>.Deadline
    ) async -> Result<KeptMedia, MediaFailure> {
        var request = request
        while true {
            do throws(MediaFailure) {
                let made = try await transcoder.transcode(request).get()
                request.trace.enter(.store)
                let assets = try await store.store(made.renditions, in: recipe.group, until: date)
                request.trace.leave()
                let kept = KeptMedia(
                    assets: assets, sourceType: made.sourceType, sourceByteCount: request.source.byteCount)
                recent.withLock { $0.insert(kept, for: recipe) }
                return .success(kept)
            } catch {
                request.trace.leave()
                // The one who began it had less time than those who wait now.
                guard error.reason == .budgetExceeded, let longest = deadline(), longest > request.deadline else {
                    return .failure(error)
                }
                request.deadline = longest
            }
        }
    }
}
