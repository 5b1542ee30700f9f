/// The bytes of one medium that have arrived while its download goes on.
///
/// It keeps the files of the download: those of transfers that have failed, or that run beside each other, too.
package final class ArrivingMedia: Sendable {
    package struct Body: Sendable {
        /// Grows until the transfer ends, and is never made shorter.
        package var file: MediaFile
        /// The URL that was fetched.
        package var url: String
    }

    /// `nil`: nobody needs them any more.
    private let guarded = Guarded<[Body]?>([])

    package init() {}

    /// The bodies in the order in which they were begun.
    package var bodies: [Body] { guarded.withLock { $0 ?? [] } }

    /// Adds a file of the download.
    package func begin(_ file: MediaFile, of url: String) {
        guarded.withLock { $0?.append(Body(file: file, url: url)) }
    }

    /// Lets go of the files, now and later.
    package func end() { guarded.withLock { $0 = nil } }
}
