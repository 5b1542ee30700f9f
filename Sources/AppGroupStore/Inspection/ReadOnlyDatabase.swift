import GRDB
import LinuxIO

/// The read-only connections to an index. They work while other processes write to the index.
enum ReadOnlyDatabase {
    /// Opens an index for reading only.
    ///
    /// - Returns: `nil` if the file does not exist.
    static func open(_ path: String) throws -> DatabaseQueue? {
        guard FileSystem.size(of: path) != nil else { return nil }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}
