import Glibc
import NotificationModel

/// Tries out in a folder what the container and the spool will ask of its file system, and leaves nothing behind.
package struct FileSystemProbe: ~Copyable {
    private let directory: String

    /// Makes a folder for the trial in the one that is tried.
    package static func begin(in parent: String) throws(SystemError) -> FileSystemProbe {
        // Names that begin with a dot are nobody's group.
        let trial = FileSystemProbe(directory: "\(parent)/.trial-\(UInt64.random(in: 0 ... .max))")
        for path in [trial.directory, trial.directory + "/a", trial.directory + "/b"] {
            try FileSystem.makeDirectory(path)
        }
        return trial
    }

    deinit {
        for name in ["/a", "/b", ""] {
            for file in (try? FileSystem.names(in: directory + name)) ?? [] {
                _ = unsafe unlink("\(directory)\(name)/\(file)")
            }
            _ = unsafe rmdir(directory + name)
        }
    }

    /// Whether a file can be without a name until it is whole.
    package func namelessFileGetsName() throws(SystemError) -> Bool {
        let file = try AnonymousFile.create(in: directory + "/a")
        guard file.isLinkable else { return false }
        try AnonymousFile.link(file, to: directory + "/a/nameless")
        return true
    }

    /// Gives a file a second name in another folder, and moves it from one folder to the other.
    package func linkAndMove() throws(SystemError) {
        try FileSystem.replace(directory + "/a/first", with: [1])
        guard unsafe link(directory + "/a/first", directory + "/b/second") == 0 else { throw .last("link") }
        guard unsafe Glibc.rename(directory + "/a/first", directory + "/b/moved") == 0 else { throw .last("rename") }
    }

    /// The time that one durable file takes: 4 KiB written and synced, renamed, its folder synced. The median of several.
    package func durableWriteTime(of tries: Int) throws(SystemError) -> Duration {
        var times: [Duration] = []
        for number in 0..<tries {
            let start = MonotonicInstant.now
            try FileSystem.replace("\(directory)/a/durable-\(number)", with: [UInt8](repeating: 7, count: 4_096))
            try FileSystem.syncDirectory(directory + "/a")
            times.append(start.duration(to: .now))
        }
        return times.sorted()[tries / 2]
    }
}
