/// What to fetch, and within which bounds.
package struct FetchRequest: Sendable {
    /// As the payload writes it.
    package var url: String
    package var deadline: MonotonicInstant
    package var trace: StageTrace
    /// Size in bytes and kind, as the payload says: a file that would be too large is not asked for.
    package var declared: (byteCount: Int?, kind: MediaFormat.Kind?) = (nil, nil)
    /// Told how far the bytes have come, as often as they come; the latest counts.
    package var progress: FetchProgress?
    /// Called before something is downloaded that is not stored, at least once. The medium is not downloaded when it
    /// throws.
    package var willDownload: @Sendable () throws(MediaFailure) -> Void
    /// Gives an empty file for bytes. Called when something is to be downloaded, more than once for tries beside each
    /// other, and not at all for what is stored.
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

/// A medium as it came from its origin. Its file is read and never written: others may be reading it too.
package struct FetchedMedia: Sendable {
    package var file: MediaFile
    package var byteCount: Int
    /// The media type that the origin declared, without parameters; a hint only.
    package var declaredType: String?
    package var cache: CacheStatus
    /// Names the bytes: who fetched the same ones, from one transfer or from the store, has the same name.
    package var identity: String
    /// The HTTP cache has it, so that others may come with the same name, also after a restart.
    package var isStored: Bool

    package init(
        file: MediaFile, byteCount: Int, declaredType: String?, cache: CacheStatus = .miss, identity: String,
        isStored: Bool = false
    ) {
        self.file = file
        self.byteCount = byteCount
        self.declaredType = declaredType
        self.cache = cache
        self.identity = identity
        self.isStored = isStored
    }
}
