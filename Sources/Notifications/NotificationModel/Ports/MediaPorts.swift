package import Base
package import FoundationEssentials
package import LinuxIO

/// The port that downloads media items. `HTTPMediaFetcher` implements it.
///
/// This file has the ports for media items, and the values that pass through them. The composition root connects the
/// targets through these ports, so that no stage of the pipeline imports another stage:
///
/// - `MediaFetching` takes a URL and returns an open file of the body, or a `MediaFailure`.
/// - `MediaTranscoding` takes that file and returns the renditions that a profile asks for.
/// - `MediaStoring` takes renditions and returns the names of durable files in an app group's container.
///
/// A function of a port may be called from any thread. Fetches and transcodes end at the deadline of their request at
/// the latest. All failures are values of the type `MediaFailure`, with a reason that callers see.
/// `NotificationPipeline` calls the ports, and cancels their work with its tasks: at the deadline, or when the caller
/// cancels the request.
///
/// If the task of a fetch is cancelled, the call returns at once. The transfer ends when no other task waits for it.
///
/// To add a new port, do this: write its protocol in a file of `Ports/`, and its values in `Values/`. A type of the
/// stage that does the work conforms to the protocol, and the stage that needs the work takes the port in an
/// initializer. `Runtime` or `Daemon` creates both stages and connects them.
package protocol MediaFetching: Sendable {
    func fetch(_ request: FetchRequest) async -> Result<FetchedMedia, MediaFailure>
    /// Waits until the circuit breaker of a host closes, after a fetch has ended because the circuit breaker was open
    /// (`StageTrace.takeCooldownHost`).
    ///
    /// - Returns: Whether the caller must fetch again. The result is `false` if the circuit breaker stays open beyond
    ///   the deadline, or if too many requests already wait for this breaker. The result is also `false` if the calling
    ///   task is cancelled.
    func waitForCooldown(of host: String, until deadline: MonotonicInstant) async -> Bool
    /// Returns whether a fetch of a URL for an app group would begin a download. A fetch begins a download if no
    /// response is stored and no other fetch of the URL is running.
    func wouldDownload(_ url: String, for group: AppGroupName?) async -> Bool
    /// Returns the bytes of a download that have arrived, as a part of a media item; `nil` if no bytes have arrived. If
    /// the index of a video follows its other bytes, the index is fetched.
    ///
    /// - Parameter deadline: The deadline of that fetch.
    /// - Parameter makeFile: A function that creates an empty file for the bytes and their index.
    func part(
        of arriving: ArrivingMedia, until deadline: MonotonicInstant,
        makeFile: @escaping @Sendable () throws(MediaFailure) -> MediaFile
    ) async -> FetchedMedia?
}

/// A fetched media item and the renditions to make of it.
package struct TranscodeRequest: Sendable {
    package var source: FetchedMedia
    package var form: MediaForm
    package var options: AttachmentOptions
    package var deadline: MonotonicInstant
    /// The part of the time until the deadline that is reserved for storing the renditions.
    package var storing = Duration.milliseconds(20)
    package var trace: StageTrace
    /// The reservation of the item's download. If the item was not downloaded, no job is reserved.
    package var reservation: any TranscodeReservation
    /// A function that creates an empty file for a rendition.
    package var makeFile: @Sendable (ScratchUse) throws(MediaFailure) -> MediaFile

    package init(
        source: FetchedMedia, form: MediaForm, options: AttachmentOptions, deadline: MonotonicInstant,
        trace: StageTrace, reservation: any TranscodeReservation = UnlimitedReservation(),
        makeFile: @escaping @Sendable (ScratchUse) throws(MediaFailure) -> MediaFile
    ) {
        self.source = source
        self.form = form
        self.options = options
        self.deadline = deadline
        self.trace = trace
        self.reservation = reservation
        self.makeFile = makeFile
    }
}

/// The port that makes the renditions of a media item. If the calling task is cancelled, the worker process is killed.
package protocol MediaTranscoding: Sendable {
    func transcode(_ request: TranscodeRequest) async -> Result<RenditionSet, MediaFailure>
    /// Creates the reservation of a media item.
    ///
    /// - Parameter deadline: The time at which its renditions must be complete.
    func reservation(for flow: TranscodeFlow, until deadline: MonotonicInstant) -> any TranscodeReservation
    /// Creates the reservation of a still image that is made from the first bytes of a media item. The media item itself
    /// has another reservation.
    ///
    /// - Parameter deadline: The time at which the still must be complete.
    func partReservation(for flow: TranscodeFlow, until deadline: MonotonicInstant) -> any TranscodeReservation
    /// Returns the failure `overloaded` if a job could not be reserved now; otherwise `nil`.
    func refusal(for flow: TranscodeFlow, until deadline: MonotonicInstant) -> MediaFailure?
}

extension MediaTranscoding {
    package func refusal(for flow: TranscodeFlow, until deadline: MonotonicInstant) -> MediaFailure? { nil }

    package func reservation(for flow: TranscodeFlow, until deadline: MonotonicInstant) -> any TranscodeReservation {
        UnlimitedReservation()
    }

    package func partReservation(
        for flow: TranscodeFlow, until deadline: MonotonicInstant
    ) -> any TranscodeReservation {
        reservation(for: flow, until: deadline)
    }
}

/// The reservation of a job for a media item that is to be downloaded. It may be used from any thread.
package protocol TranscodeReservation: Sendable {
    /// The rank that orders its job among the waiting jobs (`MediaRank`).
    var rank: Int { get }
    /// Raises the rank to that of another request that waits for the same job. A lower rank has no effect.
    func raise(to rank: Int)
    /// Reserves a job for the item in the pool of workers. A second call has no effect.
    ///
    /// - Throws: `overloaded` if the renditions could not be complete in time. A reservation that was refused once is
    ///   always refused.
    func reserve() throws(MediaFailure)
    /// Releases the reserved job, unless a transcode already uses it.
    func release()
}

/// A reservation without a pool, which is never refused.
package struct UnlimitedReservation: TranscodeReservation {
    package init() {}
    package var rank: Int { MediaRank.standard }
    package func raise(to rank: Int) {}
    package func reserve() {}
    package func release() {}
}

/// One emitted notification with its media items, for the index. A content extension finds its files by the message.
package struct MessageRecord: Sendable, Equatable {
    package var id: RequestID
    package var providerID: String?
    /// The name of the profile.
    package var profile: String
    package var attachments: [Attachment]
    /// The recipients whose silent push fetched the files; `nil` if the push was not silent.
    package var prefetchedFor: PrefetchRecipient?
    /// The part that an app displays; `nil` if the push was silent.
    package var content: MessageContent?

    /// The file that is shown, the smaller files for the same item, and the facts about their source.
    package struct Attachment: Sendable, Equatable {
        package var identifier: String
        package var shown: StoredAsset
        package var others: [StoredAsset]
        /// The URL as the payload has it.
        package var url: String
        /// The media type that the source's bytes show.
        package var sourceType: String
        package var sourceByteCount: Int
        /// The recipe of the files; `nil` if they do not meet the whole profile. No other request may use such files.
        package var recipe: RenditionRecipe?
        package var role: MediaRole
        /// The part of a damaged source that the files show, as in `StoredRenditions`.
        package var damage: String?
        /// The facts about a video or audio source, as in `StoredRenditions`.
        package var source: SourceFacts?

        package init(
            identifier: String, shown: StoredAsset, others: [StoredAsset] = [], url: String, sourceType: String,
            sourceByteCount: Int, recipe: RenditionRecipe? = nil, role: MediaRole = .attachment, damage: String? = nil,
            source: SourceFacts? = nil
        ) {
            self.identifier = identifier
            self.shown = shown
            self.others = others
            self.url = url
            self.sourceType = sourceType
            self.sourceByteCount = sourceByteCount
            self.recipe = recipe
            self.role = role
            self.damage = damage
            self.source = source
        }

        package var assets: [StoredAsset] { [shown] + others }
    }

    package init(
        id: RequestID, providerID: String?, profile: String, attachments: [Attachment],
        prefetchedFor: PrefetchRecipient? = nil, content: MessageContent? = nil
    ) {
        self.id = id
        self.providerID = providerID
        self.profile = profile
        self.attachments = attachments
        self.prefetchedFor = prefetchedFor
        self.content = content
    }
}

/// The renditions of a media item that are in the container already.
package struct StoredRenditions: Sendable, Equatable {
    package var assets: [StoredAsset]
    package var sourceType: String
    package var sourceByteCount: Int
    /// The part of the profile that the files do not meet; `nil` if they are complete.
    package var reduction: MediaReduction?
    /// A sentence for people about the part of a damaged source that the files show; `nil` if the source is intact.
    package var damage: String?
    /// The facts about the video or audio source of the files; `nil` for other sources.
    package var source: SourceFacts?

    package init(
        assets: [StoredAsset], sourceType: String, sourceByteCount: Int, reduction: MediaReduction? = nil,
        damage: String? = nil, source: SourceFacts? = nil
    ) {
        self.assets = assets
        self.sourceType = sourceType
        self.sourceByteCount = sourceByteCount
        self.reduction = reduction
        self.damage = damage
        self.source = source
    }

    /// Creates the stored form of renditions that were made of a source.
    package init(_ made: RenditionSet, as assets: [StoredAsset], of source: FetchedMedia) {
        self.init(
            assets: assets, sourceType: made.sourceType, sourceByteCount: source.byteCount, reduction: made.reduction,
            damage: made.damage, source: made.source)
    }
}

/// A key for a media item of a message: the message, the item's URL and the recipe of its files.
package struct PrefetchKey: Sendable, Hashable {
    package var providerID: String
    /// The URL as the payload has it.
    package var url: String
    package var recipe: RenditionRecipe
    /// The recipient whose silent push must have fetched the file; `nil` if any push of the message may have fetched it.
    package var recipient: PrefetchRecipient?

    package init(providerID: String, url: String, recipe: RenditionRecipe, recipient: PrefetchRecipient? = nil) {
        self.providerID = providerID
        self.url = url
        self.recipe = recipe
        self.recipient = recipient
    }
}

/// The recipients of a silent push.
package enum PrefetchRecipient: Sendable, Hashable {
    /// All recipients of the app group, because the request names no recipient.
    case everyone
    case recipient(String)

    package init(_ recipient: String?) { self = recipient.map { .recipient($0) } ?? .everyone }
}

/// A key of renditions that the container holds, by the reason for which it holds them.
package enum StoredMediaKey: Sendable {
    /// Another push with the same provider's id has stored them.
    case prefetched(PrefetchKey)
    /// An operator has pinned them, through this or another process.
    case pinned(PinKey)
    /// This or another process has made them from the same bytes. Their files are checked for damage.
    case made(RenditionKey)
}

/// The use of a file that has no name yet.
package enum ScratchUse: Sendable {
    /// The body of a response, which gets its name in the cache.
    case download
    /// A rendition that may be a video, of at most `MediaForm.videoBytes`.
    case video
    /// A rendition that is a still image, of at most `MediaForm.imageBytes`.
    case image
}

/// The port to the container of an app group.
package protocol MediaStoring: Sendable {
    /// Creates an empty file without a name, on the calling thread.
    func scratchFile(for use: ScratchUse, in group: AppGroupName) throws(MediaFailure) -> MediaFile
    /// Evicts other files if the disk is full, and returns whether there is room for a download after the eviction.
    func freeSpaceForDownload() async -> Bool
    /// The mark of a request that begins now. `store` checks it against later purges.
    var purgeMark: RecentPurges.Mark { get }
    /// Makes renditions durable, in their order: all of them or none. Complete renditions of a stored source are then
    /// recorded under the source's identifier. A failed record is not reported, because missing renditions are made
    /// again.
    ///
    /// - Parameter recipe: The recipe of the renditions.
    /// - Parameter date: The time until which the files are not evicted.
    /// - Throws: `storage-failed` if a file cannot be stored, or if the source was purged after the request began.
    func store(
        _ made: RenditionSet, of source: FetchedMedia, by recipe: RenditionRecipe, in group: AppGroupName,
        until date: Date
    ) async throws(MediaFailure) -> StoredRenditions
    /// Returns the renditions of the first of several keys that has any; `nil` if there are no renditions, or if one of
    /// their files is missing.
    ///
    /// - Parameter date: The time until which the files are not evicted.
    func find(_ keys: [StoredMediaKey], in group: AppGroupName, until date: Date) async -> StoredRenditions?
    /// Pins renditions until a date: they are not evicted before it, and `find` returns them.
    ///
    /// - Throws: `storage-failed` if all pinned renditions together would exceed the quota.
    func pin(
        _ media: StoredRenditions, as key: PinKey, in group: AppGroupName, until date: Date
    ) async throws(MediaFailure)
    /// Extends the lease of files that were stored before.
    ///
    /// - Parameter date: The time until which the files are not evicted.
    /// - Returns: `false` if one of the files is gone.
    func lease(_ assets: [StoredAsset], in group: AppGroupName, until date: Date) async -> Bool
    /// Records a message with the files that it shows.
    func record(_ message: MessageRecord, in group: AppGroupName) async throws(MediaFailure)
}

extension MediaStoring {
    package var purgeMark: RecentPurges.Mark { 0 }
}

/// The port to the files of app groups, for messages that show them later.
package protocol FileHolding: Sendable {
    /// Holds files that are in the container, so that they are not evicted before a date.
    ///
    /// - Parameter paths: The paths of the files, relative to the directory of the group.
    /// - Returns: `false` if a file is gone, or if the index cannot be changed.
    func hold(_ paths: [String], in group: AppGroupName, until date: Date) async -> Bool
}
