/// The bytes of one medium that have arrived while its download goes on.
///
/// It keeps the files of the download, also those of failed transfers and of transfers that run beside each other.
package final class ArrivingMedia: Sendable {
    /// The facts by which an origin's response to a later request is known to be of the same file.
    package struct Version: Sendable, Equatable {
        /// The value of `If-Range`: a strong entity tag or date (RFC 9110 §13.1.5); `nil`: the origin names none.
        package var validator: String?
        /// Bytes of the whole file; `nil`: the origin does not announce them.
        package var completeLength: Int?

        package init(validator: String?, completeLength: Int?) {
            self.validator = validator
            self.completeLength = completeLength
        }
    }

    /// One file of a download. All requests that share the download have the same body.
    package final class Body: Sendable {
        /// The file grows until the transfer ends, and is never made shorter.
        package let file: MediaFile
        /// The URL that was fetched.
        package let url: String
        /// The name of the body, which no other body of this process has.
        package let identity: String
        /// The version of the file at the origin; `nil`: nothing tells it, or the bytes were decoded on their way.
        package let version: Version?
        private let completion = Guarded<Task<FetchedMedia?, Never>?>(nil)

        package init(file: MediaFile, url: String, identity: String, version: Version? = nil) {
            self.version = version
            self.file = file
            self.url = url
            self.identity = identity
        }

        /// Completes the bytes once for all requests, and returns the result to each of them.
        package func completed(by begin: () -> Task<FetchedMedia?, Never>) async -> FetchedMedia? {
            let task = completion.withLock { completion in
                let task = completion ?? begin()
                completion = task
                return task
            }
            return await task.value
        }
    }

    /// `nil` after `end`.
    private let guarded = Guarded<[Body]?>([])

    package init() {}

    /// The bodies in the order in which they were begun.
    package var bodies: [Body] { guarded.withLock { $0 ?? [] } }

    /// Adds a file of the download.
    package func begin(_ body: Body) { guarded.withLock { $0?.append(body) } }

    /// Lets go of the files that there are. The files of a new download can be added.
    package func startAgain() { guarded.withLock { if $0 != nil { $0 = [] } } }

    /// Lets go of the files, now and later.
    package func end() { guarded.withLock { $0 = nil } }
}
