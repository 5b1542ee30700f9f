import Base
import FoundationEssentials
import NotificationModel

/// The service that makes and stores the renditions of a media item once for all requests that want the same
/// renditions. These requests may come at the same time, or later while the renditions are remembered. After a restart,
/// they may still get the media item from the HTTP cache.
final class RenditionService: Sendable {
    /// The key under which requests share renditions.
    struct Key: Hashable, Sendable {
        var rendition: RenditionKey
        var group: AppGroupName
    }

    private struct Made: Sendable {
        var media: StoredRenditions
        /// The time that was left for the work.
        var time: Duration
    }

    private typealias Work = Singleflight<Key, Result<Made, MediaFailure>>

    private let transcoder: any MediaTranscoding
    private let store: any MediaStoring
    private let clock: any RequestClock
    private let work: Work
    private let recent = Guarded(RecentRenditions())
    /// The reservations of the running jobs. A request that joins a job raises the rank of its reservation.
    private let reservations = Guarded<[Key: any TranscodeReservation]>([:])
    private let storing = Guarded(StoringTime())

    init(
        transcoder: any MediaTranscoding, store: any MediaStoring, clock: any RequestClock,
        executor: (any TaskExecutor)? = nil
    ) {
        work = Singleflight(on: executor)
        self.transcoder = transcoder
        self.store = store
        self.clock = clock
    }

    /// Returns the renditions of a media item, and makes them if they are missing.
    ///
    /// - Parameter recipe: The recipe of the request's form and options.
    /// - Parameter date: The time before which the files are not evicted.
    func make(
        _ request: TranscodeRequest, by recipe: RenditionRecipe, in group: AppGroupName, until date: Date
    ) async throws(MediaFailure) -> StoredRenditions {
        let key = Key(rendition: RenditionKey(identity: request.source.identity, recipe: recipe), group: group)
        if let made = await made(key, from: request.source, until: date) { return made }
        let isFirst = enter(request.reservation, for: key)
        defer { if isFirst { reservations.withLock { $0[key] = nil } } }
        while true {
            let ending = await work.result(for: key, until: request.deadline) { [self] deadline in
                // Another request's work may have ended after the lookup above.
                if let media = await remembered(key, until: date) {
                    return .success(Made(media: media, time: clock.now.duration(to: request.deadline)))
                }
                return await makeAndStore(request, key, until: date, latest: deadline)
            }
            guard case .done(let result, let isOwn) = ending else { throw .cancelled }
            let made = try result.get()
            // The request that began the work got a reduced rendition, perhaps because it had less time than this
            // request still has.
            if !isOwn, made.media.reduction?.isUndoneByTime == true,
                clock.now.duration(to: request.deadline) > made.time
            {
                continue
            }
            // Files that another request has stored are leased only for that request.
            if !isOwn, !(await store.lease(made.media.assets, in: group, until: date)) {
                throw MediaFailure(.storageFailed, "the file was removed from the container in the meantime")
            }
            return made.media
        }
    }

    /// Raises the job that is running for a key.
    ///
    /// - Returns: Whether no job is running. If no job is running, this reservation becomes that of the job.
    private func enter(_ reservation: any TranscodeReservation, for key: Key) -> Bool {
        let other: (any TranscodeReservation)? = reservations.withLock { reservations in
            if let other = reservations[key] { return other }
            reservations[key] = reservation
            return nil
        }
        other?.raise(to: reservation.rank)
        return other == nil
    }

    /// Forgets the renditions that were made recently.
    func forgetAll() { recent.withLock { $0 = RecentRenditions() } }

    private func made(_ key: Key, from source: FetchedMedia, until date: Date) async -> StoredRenditions? {
        if let made = await remembered(key, until: date) { return made }
        // A file that was just downloaded has no earlier renditions.
        guard source.isStored, source.cache != .miss,
            let made = await store.find([.made(key.rendition)], in: key.group, until: date)
        else { return nil }
        recent.withLock { $0.insert(made, for: key) }
        return made
    }

    private func remembered(_ key: Key, until date: Date) async -> StoredRenditions? {
        guard let made = recent.withLock({ $0[key] }), await store.lease(made.assets, in: key.group, until: date) else {
            return nil
        }
        return made
    }

    private func makeAndStore(
        _ request: TranscodeRequest, _ key: Key, until date: Date, latest deadline: Work.Deadline
    ) async -> Result<Made, MediaFailure> {
        var request = request
        while true {
            let time = clock.now.duration(to: request.deadline)
            request.storing = storing.withLock { $0.reserve(of: time) }
            do throws(MediaFailure) {
                let made = try await transcoder.transcode(request).get()
                request.trace.enter(.store)
                let begun = clock.now
                let stored = try await store.store(
                    made, of: request.source, by: key.rendition.recipe, in: key.group, until: date)
                storing.withLock { $0.note(begun.duration(to: clock.now)) }
                request.trace.leave()
                // Ten thousand warmed renditions would evict the renditions that requests need now.
                if stored.reduction == nil, request.reservation.rank != MediaRank.warming {
                    recent.withLock { $0.insert(stored, for: key) }
                }
                return .success(Made(media: stored, time: time))
            } catch {
                request.trace.leave()
                // The request that began the work had less time than the current waiters.
                guard [.budgetExceeded, .overloaded].contains(error.reason), let latest = deadline(),
                    latest > request.deadline
                else {
                    return .failure(error)
                }
                request.deadline = latest
            }
        }
    }
}

/// The renditions that were made recently, which are not made again. The table is bounded, and evicts the oldest
/// entries first. It has no clock and no lock.
struct RecentRenditions {
    static let most = 4_096

    private var made: [RenditionService.Key: StoredRenditions] = [:]
    /// The keys in the order in which they were inserted.
    private var line: [RenditionService.Key] = []

    subscript(key: RenditionService.Key) -> StoredRenditions? { made[key] }

    mutating func insert(_ media: StoredRenditions, for key: RenditionService.Key) {
        if made.updateValue(media, forKey: key) == nil { line.append(key) }
        guard line.count > 2 * Self.most else { return }
        for old in line.prefix(Self.most) { made[old] = nil }
        line.removeFirst(Self.most)
    }
}

/// The time for storing renditions in the container. Two or three files and their names are written and synced. The
/// type has no clock and no lock.
///
/// A busy disk takes ten times as long as an idle disk. If a transcode leaves no time for storing, its renditions are
/// lost.
struct StoringTime {
    /// The weight of one measurement in the mean.
    private static let share = 0.1
    /// The shortest time that is assumed. It is also used before anything was stored.
    private static let least = Duration.milliseconds(20)

    private var mean = Duration.zero

    mutating func note(_ time: Duration) { mean += (time - mean) * Self.share }

    /// Returns the time to leave for storing: twice the mean, but at most a quarter of `time`.
    func reserve(of time: Duration) -> Duration { max(.zero, min(max(Self.least, mean * 2), time / 4)) }
}
