package import Base
package import LinuxIO

/// The URL to fetch, and the limits of the fetch.
package struct FetchRequest: Sendable {
    /// The URL as the payload has it.
    package var url: String
    package var deadline: MonotonicInstant
    /// The app group of the request, whose credentials the origin may receive; `nil` for the credentials of all groups.
    package var group: AppGroupName?
    /// The rank that orders fetches that wait for a connection (`MediaRank`).
    package var rank = MediaRank.standard
    package var trace: StageTrace
    /// The size in bytes and the kind that the payload declares. A file that would be too large is not fetched.
    package var declared: (byteCount: Int?, kind: MediaKind?) = (nil, nil)
    /// The receiver of the progress. The receiver gets each state, and a slow reader sees only the latest state.
    package var progress: FetchProgress?
    /// The receiver of the files while the bytes are written to them.
    package var arriving: ArrivingMedia?
    /// A function that is called at least once before an item is downloaded. An error prevents the download.
    package var willDownload: @Sendable () throws(MediaFailure) -> Void
    /// A function that creates an empty file for bytes. The function is called once for each transfer, even if
    /// transfers run in parallel. The function is not called for a stored item.
    package var makeFile: @Sendable () throws(MediaFailure) -> MediaFile

    package init(
        url: String, deadline: MonotonicInstant, trace: StageTrace, progress: FetchProgress? = nil,
        willDownload: @escaping @Sendable () throws(MediaFailure) -> Void = {},
        makeFile: @escaping @Sendable () throws(MediaFailure) -> MediaFile
    ) {
        self.url = url
        self.deadline = deadline
        self.trace = trace
        self.progress = progress
        self.willDownload = willDownload
        self.makeFile = makeFile
    }
}

/// A media item as it came from its origin. Other requests may read the same file, so it is never written.
package struct FetchedMedia: Sendable {
    package var file: MediaFile
    package var byteCount: Int
    /// The media type that the origin declared, without parameters. This type is only a hint.
    package var declaredType: String?
    package var cache: CacheStatus
    /// An identifier of the content. Fetches of one transfer or of stored bytes share it.
    package var identity: String
    /// Whether the HTTP cache has the item. Later fetches of it have the same identifier, even after a restart.
    package var isStored: Bool
    /// Whether the file has the first bytes of a download that has not ended. It may grow, but never shrink.
    package var isPart = false
    package var provenance: MediaProvenance
    /// The fault of the content encoding with which the item came. The item is shown only if it is whole, and nothing of
    /// it is kept. The value is `nil` for other items.
    package var codingFault: MediaFailure?

    package init(
        file: MediaFile, byteCount: Int, declaredType: String?, cache: CacheStatus = .miss, identity: String,
        isStored: Bool = false, provenance: MediaProvenance = MediaProvenance(), codingFault: MediaFailure? = nil
    ) {
        self.file = file
        self.byteCount = byteCount
        self.declaredType = declaredType
        self.cache = cache
        self.identity = identity
        self.isStored = isStored
        self.provenance = provenance
        self.codingFault = codingFault
    }
}

/// The source of a fetched item's bytes, in the words of RFC 9111.
package enum CacheStatus: String, Sendable, CaseIterable {
    /// The bytes are from the origin.
    case miss
    /// The bytes are from the store, and fresh.
    case hit
    /// The bytes are from the store, after the origin confirmed them.
    case revalidated
    /// The bytes are from the store and no longer fresh (RFC 5861, or an origin that does not respond).
    case stale
    /// The bytes are from a transfer that another request had begun.
    case coalesced
}
