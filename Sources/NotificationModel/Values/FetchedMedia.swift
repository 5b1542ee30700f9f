/// What to fetch, and within which bounds.
package struct FetchRequest: Sendable {
    /// As the payload writes it.
    package var url: String
    package var deadline: MonotonicInstant
    /// The order in which fetches have connections (`MediaRank`).
    package var rank = MediaRank.standard
    package var trace: StageTrace
    /// Size in bytes and kind, as the payload says: a file that would be too large is not asked for.
    package var declared: (byteCount: Int?, kind: MediaFormat.Kind?) = (nil, nil)
    /// Told how far the bytes have come, as often as they come; the latest counts.
    package var progress: FetchProgress?
    /// Takes the files that the bytes are written to, while they are written.
    package var arriving: ArrivingMedia?
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
    /// Whether it is the first bytes of a download that has not ended. The file may grow, and is never made shorter.
    package var isPart = false
    package var origin: MediaOrigin

    package init(
        file: MediaFile, byteCount: Int, declaredType: String?, cache: CacheStatus = .miss, identity: String,
        isStored: Bool = false, origin: MediaOrigin = MediaOrigin()
    ) {
        self.file = file
        self.byteCount = byteCount
        self.declaredType = declaredType
        self.cache = cache
        self.identity = identity
        self.isStored = isStored
        self.origin = origin
    }
}

/// A file of media bytes that has no name yet: a download, or a rendition before it is stored.
///
/// It lives as long as somebody holds it and is gone with the last holder, even by `kill -9`. The maker says how the
/// descriptor is closed, so that this target does no I/O.
package final class MediaFile: Sendable {
    /// Open for reading and writing.
    package let descriptor: Int32
    /// The file system can give the file a name (`linkat`); otherwise its bytes are copied into a named one.
    package let isLinkable: Bool
    private let close: @Sendable (Int32) -> Void

    package init(descriptor: Int32, isLinkable: Bool, close: @escaping @Sendable (Int32) -> Void) {
        self.descriptor = descriptor
        self.isLinkable = isLinkable
        self.close = close
    }

    deinit { close(descriptor) }
}

/// Where a fetched medium's bytes came from, in RFC 9111's words.
package enum CacheStatus: String, Sendable, CaseIterable {
    /// From the origin.
    case miss
    /// From the store, fresh.
    case hit
    /// From the store, after the origin said that they are still good.
    case revalidated
    /// From the store, though no longer fresh (RFC 5861, or an origin that does not answer).
    case stale
    /// From a transfer that another request had begun.
    case coalesced
}
