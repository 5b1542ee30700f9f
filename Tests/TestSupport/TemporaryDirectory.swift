import Foundation

/// A new directory for a test, which is removed with the last reference to it.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() throws {
        path = FileManager.default.temporaryDirectory.path() + "/appgroupd-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Returns the relative paths of all files below the directory, sorted.
    package func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path).filter {
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(path)/\($0)", isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }

    /// Returns the files without those of the HTTP cache, which belong to no app group.
    package func mediaFiles() throws -> [String] { try files().filter { !$0.hasPrefix(".cache/") } }
}
