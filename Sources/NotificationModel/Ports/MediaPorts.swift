package import FoundationEssentials

/// Downloads one medium. Cancelling the calling task leaves at once; the transfer ends when nobody else waits for it.
package protocol MediaFetching: Sendable {
    func fetch(_ request: FetchRequest) async -> Result<FetchedMedia, MediaFailure>
    /// Waits for the end of the rest of a host that a fetch has ended with (`StageTrace.takeRestingHost`).
    ///
    /// - Returns: whether to fetch again; `false` if the host rests for longer than until the deadline, too many requests
    ///   wait for it already, or the calling task is cancelled.
    func waitForRest(of host: String, until deadline: MonotonicInstant) async -> Bool
    /// Whether a fetch of a URL would begin a download: nothing is known of it, and nobody is downloading it.
    func wouldDownload(_ url: String) async -> Bool
    /// The bytes that have arrived of a download, as a part of a medium; `nil` if there are none. If the index of a video
    /// is behind its other bytes, it is fetched.
    ///
    /// - Parameters:
    ///   - deadline: of that fetch.
    ///   - makeFile: gives an empty file for the bytes with their index.
    func part(
        of arriving: ArrivingMedia, until deadline: MonotonicInstant,
        makeFile: @escaping @Sendable () throws(MediaFailure) -> MediaFile
    ) async -> FetchedMedia?
}

/// A fetched medium and the renditions to make of it.
package struct TranscodeRequest: Sendable {
    package var source: FetchedMedia
    package var form: MediaForm
    package var options: AttachmentOptions
    package var deadline: MonotonicInstant
    /// The part of the time until the deadline that is reserved for storing the renditions.
    package var storing = Duration.milliseconds(20)
    package var trace: StageTrace
    /// The permit of the medium's download. A medium that was not downloaded has not acquired it.
    package var permit: any TranscodePermit
    /// Gives an empty file for a rendition.
    package var makeFile: @Sendable (ScratchUse) throws(MediaFailure) -> MediaFile

    package init(
        source: FetchedMedia, form: MediaForm, options: AttachmentOptions, deadline: MonotonicInstant,
        trace: StageTrace, permit: any TranscodePermit = UnlimitedPermit(),
        makeFile: @escaping @Sendable (ScratchUse) throws(MediaFailure) -> MediaFile
    ) {
        self.source = source
        self.form = form
        self.options = options
        self.deadline = deadline
        self.trace = trace
        self.permit = permit
        self.makeFile = makeFile
    }
}

/// Makes the renditions of one medium. Cancelling the calling task kills the worker that is at it.
package protocol MediaTranscoding: Sendable {
    func transcode(_ request: TranscodeRequest) async -> Result<RenditionSet, MediaFailure>
    /// Makes the permit of one medium.
    ///
    /// - Parameter deadline: when its renditions must be there.
    func permit(for flow: TranscodeFlow, until deadline: MonotonicInstant) -> any TranscodePermit
    /// Makes the permit of a still of the first bytes of a medium, which has a permit of its own.
    ///
    /// - Parameter deadline: when the still must be there.
    func partPermit(for flow: TranscodeFlow, until deadline: MonotonicInstant) -> any TranscodePermit
    /// Why a permit would be refused that is acquired now, `overloaded`; `nil` if it would be granted.
    func refusal(for flow: TranscodeFlow, until deadline: MonotonicInstant) -> MediaFailure?
}

extension MediaTranscoding {
    package func refusal(for flow: TranscodeFlow, until deadline: MonotonicInstant) -> MediaFailure? { nil }

    package func permit(for flow: TranscodeFlow, until deadline: MonotonicInstant) -> any TranscodePermit {
        UnlimitedPermit()
    }

    package func partPermit(for flow: TranscodeFlow, until deadline: MonotonicInstant) -> any TranscodePermit {
        permit(for: flow, until: deadline)
    }
}

/// Whether a medium that is to be downloaded can be transcoded in time. Called from any thread.
package protocol TranscodePermit: Sendable {
    /// The order in which its job has a worker (`MediaRank`).
    var rank: Int { get }
    /// Somebody of a rank waits for the same job. A rank is never made lower.
    func raise(to rank: Int)
    /// Reserves the medium's place among the jobs; does nothing when it has one.
    ///
    /// - Throws: `overloaded` if it could not be ready in time. A permit that was refused stays refused.
    func acquire() throws(MediaFailure)
    /// Gives the place back, unless it has become a job.
    func release()
}

/// A permit that is always granted.
package struct UnlimitedPermit: TranscodePermit {
    package init() {}
    package var rank: Int { MediaRank.standard }
    package func raise(to rank: Int) {}
    package func acquire() {}
    package func release() {}
}

/// The media that one emitted notification shows, for the index. A content extension looks its files up by the message.
package struct MessageRecord: Sendable, Equatable {
    package var id: RequestID
    package var providerID: String?
    /// The profile's name.
    package var profile: String
    package var attachments: [Attachment]
    /// The receivers whose silent push fetched the files; `nil`: no silent push did.
    package var prefetchedFor: PrefetchReceiver?

    /// The file that is shown, the small ones beside it, and what they were made from.
    package struct Attachment: Sendable, Equatable {
        package var identifier: String
        package var shown: StoredAsset
        package var others: [StoredAsset]
        /// As the payload writes it.
        package var url: String
        /// By the source's bytes.
        package var sourceType: String
        package var sourceByteCount: Int
        /// `nil`: it is less than was asked for, and nobody else is to have it.
        package var recipe: RenditionRecipe?
        package var role: MediaRole
        /// As in `StoredRenditions`.
        package var damage: String?
        /// As in `StoredRenditions`.
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
        prefetchedFor: PrefetchReceiver? = nil
    ) {
        self.id = id
        self.providerID = providerID
        self.profile = profile
        self.attachments = attachments
        self.prefetchedFor = prefetchedFor
    }
}

/// A medium whose renditions are in the container already.
package struct StoredRenditions: Sendable, Equatable {
    package var assets: [StoredAsset]
    package var sourceType: String
    package var sourceByteCount: Int
    /// `nil`: they are as the profile asks for.
    package var reduction: MediaReduction?
    /// The part of a damaged source that they show, as a sentence for people; `nil` for an intact source.
    package var damage: String?
    /// The film or sound that they were made from; `nil` for other sources.
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
}

/// Which medium of which message, made how.
package struct PrefetchKey: Sendable, Hashable {
    package var providerID: String
    /// As the payload writes it.
    package var url: String
    package var recipe: RenditionRecipe
    /// The receiver for whom a silent push must have fetched the file; `nil`: any push of the message may have.
    package var receiver: PrefetchReceiver?

    package init(providerID: String, url: String, recipe: RenditionRecipe, receiver: PrefetchReceiver? = nil) {
        self.providerID = providerID
        self.url = url
        self.recipe = recipe
        self.receiver = receiver
    }
}

/// The receivers of a silent push.
package enum PrefetchReceiver: Sendable, Hashable {
    /// The request names no recipient: the push is for all receivers of the app group.
    case everyone
    case recipient(String)

    package init(_ recipient: String?) { self = recipient.map { .recipient($0) } ?? .everyone }
}

/// The use of a nameless file.
package enum ScratchUse: Sendable {
    /// A response's body, which gets its name in the cache.
    case download
    /// A rendition that may be a video, of at most `MediaForm.videoBytes`.
    case video
    /// A rendition that is a still picture, of at most `MediaForm.pictureBytes`.
    case picture
}

/// The container of an app group.
package protocol MediaStoring: Sendable {
    /// A new nameless file, made on the calling thread.
    func scratchFile(for use: ScratchUse, in group: AppGroupName) throws(MediaFailure) -> MediaFile
    /// Gives up something else for downloads if the disk is full, and says whether there is room then.
    func makeRoomForDownload() async -> Bool
    /// The mark of a request that begins now.
    var purgeMark: RecentPurges.Mark { get }
    /// Makes the renditions durable, in their order. All or none.
    ///
    /// - Parameters:
    ///   - date: the files are not removed before it.
    ///   - origin: where the bytes come from that they were made of.
    /// - Throws: `storage-failed` also if the origin was purged after the request began.
    func store(
        _ renditions: [Rendition], in group: AppGroupName, until date: Date, from origin: MediaOrigin
    ) async throws(MediaFailure) -> [StoredAsset]
    /// Returns the media that another push with the provider's id has brought; `nil` if a file of it is missing.
    ///
    /// - Parameter date: the files are not removed before it.
    func kept(_ key: PrefetchKey, in group: AppGroupName, until date: Date) async -> StoredRenditions?
    /// Returns the media that an operator keeps ready, also by another process; `nil` if nothing is kept, or if a file of it
    /// is missing.
    ///
    /// - Parameter date: the files are not removed before it.
    func pinned(_ key: PinKey, in group: AppGroupName, until date: Date) async -> StoredRenditions?
    /// Keeps renditions ready until a date: they are not removed before it, and `pinned` gives them.
    ///
    /// - Throws: `storage-failed` if all that is kept ready would be more than the quota.
    func pin(
        _ media: StoredRenditions, as key: PinKey, in group: AppGroupName, until date: Date
    ) async throws(MediaFailure)
    /// Returns the earlier renditions of the medium, also of another process; `nil` if a file is missing or damaged.
    ///
    /// - Parameter date: the files are not removed before it.
    func renditions(_ key: RenditionKey, in group: AppGroupName, until date: Date) async -> StoredRenditions?
    /// Notes what has been made of a medium. Nobody waits for a promise: what is not noted is made again.
    func remember(_ media: StoredRenditions, as key: RenditionKey, in group: AppGroupName) async
    /// Holds files that were stored before.
    ///
    /// - Parameter date: the files are not removed before it.
    /// - Returns: `false` where one of them is gone.
    func lease(_ assets: [StoredAsset], in group: AppGroupName, until date: Date) async -> Bool
    /// Notes which files a message shows.
    func record(_ message: MessageRecord, in group: AppGroupName) async throws(MediaFailure)
}

extension MediaStoring {
    package var purgeMark: RecentPurges.Mark { 0 }
}
