/// What to fetch, and within which bounds.
package struct FetchRequest: Sendable {
    /// As the payload writes it.
    package var url: String
    /// Where the bytes go; empty.
    package var file: MediaFile
    package var deadline: ContinuousClock.Instant
    package var trace: StageTrace

    package init(url: String, file: MediaFile, deadline: ContinuousClock.Instant, trace: StageTrace) {
        self.url = url
        self.file = file
        self.deadline = deadline
        self.trace = trace
    }
}

/// Downloads one medium. Cancelling the calling task ends the transfer at once.
package protocol MediaFetching: Sendable {
    func fetch(_ request: FetchRequest) async -> Result<FetchedMedia, MediaFailure>
}

/// What to make of a fetched medium.
package struct TranscodeRequest: Sendable {
    package var source: FetchedMedia
    package var profile: MediaProfile
    package var options: AttachmentOptions
    package var deadline: ContinuousClock.Instant
    package var trace: StageTrace
    /// Gives an empty file for a rendition.
    package var makeFile: @Sendable () async throws(MediaFailure) -> MediaFile

    package init(
        source: FetchedMedia, profile: MediaProfile, options: AttachmentOptions, deadline: ContinuousClock.Instant,
        trace: StageTrace, makeFile: @escaping @Sendable () async throws(MediaFailure) -> MediaFile
    ) {
        self.source = source
        self.profile = profile
        self.options = options
        self.deadline = deadline
        self.trace = trace
        self.makeFile = makeFile
    }
}

/// Makes the renditions of one medium. Cancelling the calling task kills the worker that is at it.
package protocol MediaTranscoding: Sendable {
    func transcode(_ request: TranscodeRequest) async -> Result<RenditionSet, MediaFailure>
}

/// What one emitted notification shows, for the index: a content extension looks its files up by the message.
package struct MessageRecord: Sendable, Equatable {
    package var id: RequestID
    package var providerID: String?
    package var attachments: [Attachment]

    /// The file that is shown, and the small ones beside it.
    package struct Attachment: Sendable, Equatable {
        package var shown: StoredAsset
        package var others: [StoredAsset]

        package init(shown: StoredAsset, others: [StoredAsset] = []) {
            self.shown = shown
            self.others = others
        }

        package var assets: [StoredAsset] { [shown] + others }
    }

    package init(id: RequestID, providerID: String?, attachments: [Attachment]) {
        self.id = id
        self.providerID = providerID
        self.attachments = attachments
    }
}

/// The container of an app group.
package protocol MediaStoring: Sendable {
    /// A new nameless file on the group's file system.
    func scratchFile(in group: AppGroupName) async throws(MediaFailure) -> MediaFile
    /// Makes the renditions durable, in their order. All or none.
    func store(_ renditions: [Rendition], in group: AppGroupName) async throws(MediaFailure) -> [StoredAsset]
    /// Notes which files a message shows.
    func record(_ message: MessageRecord, in group: AppGroupName) async throws(MediaFailure)
}
