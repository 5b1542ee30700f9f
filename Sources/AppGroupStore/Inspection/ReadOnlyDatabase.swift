import GRDB
import LinuxIO

/// A connection that reads an index while others write it, and changes nothing.
enum ReadOnlyDatabase {
    /// - Returns: `nil` if there is no such file.
    static func open(_ path: String) throws -> DatabaseQueue? {
        guard FileSystem.size(of: path) != nil else { return nil }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}
