import LinuxIO
import NotificationModel

/// The files of scenarios that a command names.
package enum ScenarioFiles {
    /// The maximum depth of directories, and the maximum number of files.
    private static let (deepest, most) = (16, 10_000)

    package struct Missing: Error, CustomStringConvertible {
        package let description: String
    }

    /// Returns the files, with those of each directory in the order of their names. A file is returned once.
    package static func all(_ paths: [String]) throws(Missing) -> [String] {
        var files: [String] = []
        for path in paths {
            if FileSystem.isDirectory(path) {
                let trimmed = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
                let found = self.files(in: trimmed, depth: 0)
                guard !found.isEmpty else {
                    throw Missing(description: "\(path) has no .yaml file: name another folder")
                }
                files += found
            } else if FileSystem.isRegularFile(path) {
                files.append(path)
            } else {
                throw Missing(description: "\(path) does not exist: name a scenario's file, or a folder of them")
            }
        }
        var seen = Set<String>()
        return files.filter { seen.insert($0).inserted }.prefix(most).map(\.self)
    }

    private static func files(in directory: String, depth: Int) -> [String] {
        guard depth <= deepest, let names = try? FileSystem.names(in: directory) else { return [] }
        return names.sorted().filter { !$0.hasPrefix(".") }.flatMap { name -> [String] in
            let path = "\(directory)/\(name)"
            if name.hasSuffix(".yaml") || name.hasSuffix(".yml") { return FileSystem.isRegularFile(path) ? [path] : [] }
            return FileSystem.isDirectory(path) ? files(in: path, depth: depth + 1) : []
        }
    }
}
