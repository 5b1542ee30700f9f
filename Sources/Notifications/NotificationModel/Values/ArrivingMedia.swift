import Base
package import LinuxIO

/// The bytes of one media item that have arrived so far, while its download continues.
///
/// The object holds the files of the download, including those of failed and of parallel transfers.
package final class ArrivingMedia: Sendable {
    /// The facts that show whether an origin's response to a later request is of the same file.
    package struct Version: Sendable, Equatable {
        /// The value of `If-Range`: a strong entity tag or a date (RFC 9110 §13.1.5); `nil` if there is neither.
        package var validator: String?
        /// The size of the whole file, in bytes; `nil` if the origin does not announce it.
        package var completeLength: Int?

        package init(validator: String?, completeLength: Int?) {
            self.validator = validator
            self.completeLength = completeLength
        }
    }

    /// A file of a download. All requests that share the download have the same body.
    package final class Body: Sendable {
        /// The file of the bytes. The file grows until the transfer ends, and is never truncated.
        package let file: MediaFile
        /// The URL that was fetched.
        package let url: String
        /// The app group whose credentials the origin received; `nil` for the credentials of all groups.
        package let group: AppGroupName?
        /// An identifier of the body, which is unique in this process.
        package let identity: String
        /// The version of the file at the origin; `nil` if it is unknown, or the bytes were decoded.
        package let version: Version?
        private let completion = Guarded<Task<FetchedMedia?, Never>?>(nil)

        package init(
            file: MediaFile, url: String, for group: AppGroupName? = nil, identity: String, version: Version? = nil
        ) {
            self.version = version
            self.group = group
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

    /// The bodies; `nil` after `end`.
    private let guarded = Guarded<[Body]?>([])

    package init() {}

    /// The bodies in the order in which they were begun.
    package var bodies: [Body] { guarded.withLock { $0 ?? [] } }

    package func begin(_ body: Body) { guarded.withLock { $0?.append(body) } }

    /// Releases the current files. Files of a new download can be added.
    package func startAgain() { guarded.withLock { if $0 != nil { $0 = [] } } }

    /// Releases the files. Files that are added later are ignored.
    package func end() { guarded.withLock { $0 = nil } }
}
