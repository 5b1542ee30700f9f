import Glibc

/// A lock on a folder, for what no other process may be at meanwhile: it needs no file of its own.
package enum FolderLock {
    /// Waits until nobody else holds the folder, and lets go of it when `body` is done or the process ends (flock(2)).
    package static func withLock<Result>(of folder: String, _ body: () throws -> Result) throws -> Result {
        let file = try OwnedDescriptor.adopt(
            unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), from: "open \(folder)")
        while flock(file.raw, LOCK_EX) != 0 {
            let error = SystemError.last("flock \(folder)")
            guard error.errno == EINTR else { throw error }
        }
        defer { flock(file.raw, LOCK_UN) }
        return try body()
    }
}
