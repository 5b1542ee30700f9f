import Glibc

/// Reads the names in a folder bit by bit: a folder of a million files costs no more memory than one of ten.
///
/// A name that is there from the first call to the last is told once; of those that come or go meanwhile nothing is said
/// (readdir(3)).
@safe package struct DirectoryScan: ~Copyable {
    private let stream: OpaquePointer

    /// - Throws: `ENOENT`, `ENOTDIR`.
    package static func start(_ directory: String) throws(SystemError) -> DirectoryScan {
        guard let stream = unsafe opendir(directory) else { throw .last("opendir \(directory)") }
        return unsafe DirectoryScan(stream: stream)
    }

    private init(stream: OpaquePointer) { unsafe self.stream = unsafe stream }

    deinit { unsafe closedir(stream) }

    /// The next names, without `.` and `..`; fewer than asked for only at the end of the folder. Names that are not UTF-8
    /// are left out.
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
