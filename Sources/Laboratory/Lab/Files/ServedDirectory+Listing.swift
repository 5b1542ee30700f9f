import Glibc

extension ServedDirectory {
    /// The regular files below the served directory, which are the files that the origin serves.
    package struct Listing: Sendable, Equatable {
        /// The sorted paths in the form of ``OriginRequestPath/filePath``.
        package var paths: [String] = []
        /// Whether the listing contains all files.
        package var isComplete = true
    }

    /// The maximum number of entries that are listed. The origin serves no connection while it lists files.
    private static let maxEntries = 1_000
    /// The deepest level that is listed, because each level keeps a descriptor open.
    private static let deepest = 16

    package func files() -> Listing {
        var listing = Listing()
        var entries = Self.maxEntries
        let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        Self.list(own, prefix: "", depth: 0, entries: &entries, into: &listing)
        listing.paths.sort()
        return listing
    }

    /// Appends the files below a directory to a listing.
    ///
    /// - Parameter directory: A descriptor, which this function closes.
    /// - Parameter entries: The number of entries that may still be read.
    private static func list(
        _ directory: CInt, prefix: String, depth: Int, entries: inout Int, into listing: inout Listing
    ) {
        guard directory >= 0 else { return }
        guard depth < deepest, let stream = fdopendir(directory) else {
            close(directory)
            listing.isComplete = false
            return
        }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            guard let name, name != ".", name != ".." else { continue }
            guard entries > 0 else {
                listing.isComplete = false
                return
            }
            entries -= 1
            var status = stat()
            guard fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFREG: listing.paths.append(prefix + name)
            case S_IFDIR:
                let below = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                list(below, prefix: prefix + name + "/", depth: depth + 1, entries: &entries, into: &listing)
            default: continue
            }
        }
    }

    /// Returns whether the served directory has an entry with the name, of any kind.
    package func has(_ name: String) -> Bool {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
    }
}
