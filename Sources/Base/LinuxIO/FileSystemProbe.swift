import Base
import Glibc

/// A probe of the file system operations that the container and the spool need, in its own temporary directory.
package struct FileSystemProbe: ~Copyable {
    private let directory: String

    /// Creates the directory of the probe in the directory that is probed.
    package static func begin(in parent: String) throws(SystemError) -> FileSystemProbe {
        // A name that begins with a dot is never the name of an app group.
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

    /// Returns whether a file can stay without a name until it is complete.
    package func namelessFileGetsName() throws(SystemError) -> Bool {
        let file = try AnonymousFile.create(in: directory + "/a")
        guard file.isLinkable else { return false }
        try AnonymousFile.link(file, to: directory + "/a/nameless")
        return true
    }

    /// Gives a file a second name in another directory, and moves it from one directory to the other.
    package func linkAndMove() throws(SystemError) {
        try FileSystem.replace(directory + "/a/first", with: [1])
        guard unsafe link(directory + "/a/first", directory + "/b/second") == 0 else { throw .last("link") }
        guard unsafe Glibc.rename(directory + "/a/first", directory + "/b/moved") == 0 else { throw .last("rename") }
    }

    /// Returns the median time to write, sync and rename a file of 4 KiB, and to sync its directory.
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
