import Glibc

/// A scan that reads the names in a directory step by step. A directory of a million files takes no more memory than a
/// directory of ten files.
///
/// A name that exists from the first call to the last is returned once. A name that is created or removed during the
/// scan may be returned or skipped (readdir(3)).
@safe package struct DirectoryScan: ~Copyable {
    private let stream: OpaquePointer

    /// Opens a directory for reading. Throws `ENOENT` or `ENOTDIR`.
    package static func start(_ directory: String) throws(SystemError) -> DirectoryScan {
        guard let stream = unsafe opendir(directory) else { throw .last("opendir \(directory)") }
        return unsafe DirectoryScan(stream: stream)
    }

    deinit { unsafe closedir(stream) }

    /// Returns the next names, without `.` and `..`. There are fewer names than `count` only at the end of the
    /// directory. Names that are not UTF-8 are left out.
    package mutating func next(_ count: Int) -> [String] {
        var names: [String] = []
        while names.count < count, let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(validatingCString: $0) }
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
