import Foundation
import ServiceConfiguration
import TestSupport
import Testing

/// A configuration file for a test, and the loader that reads it.
struct ConfigurationFixture {
    private let directory: TemporaryDirectory
    let path: String

    /// - Parameter yaml: The text of the file; `nil` if the file does not exist.
    init(_ yaml: String? = nil) throws {
        directory = try TemporaryDirectory()
        path = "\(directory.path)/appgroupd.yaml"
        if let yaml { try write(yaml) }
    }

    func write(_ yaml: String) throws { try Data(yaml.utf8).write(to: URL(filePath: path)) }

    /// Writes a file into the directory of the configuration, and returns its path.
    func file(_ name: String, _ text: String, mode: Int = 0o640) throws -> String {
        let path = "\(directory.path)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    func loader(environment: [String: String] = [:], flags: [FlagValue] = []) -> ConfigurationLoader {
        ConfigurationLoader(
            flags: flags, environment: environment, defaults: Configuration(workers: 3), defaultPath: path)
    }

    func load(
        environment: [String: String] = [:], flags: [FlagValue] = []
    ) throws(ConfigurationErrors) -> Configuration {
        try loader(environment: environment, flags: flags).load().get()
    }

    /// Returns the errors, without the directory of the file.
    func problems(environment: [String: String] = [:], flags: [FlagValue] = []) -> [String] {
        do throws(ConfigurationErrors) {
            _ = try load(environment: environment, flags: flags)
            return []
        } catch {
            return error.lines.map { $0.replacingOccurrences(of: directory.path + "/", with: "") }
        }
    }
}

extension Configuration {
    func entry(_ key: String) throws -> ConfigurationEntry {
        try #require(entries.first { $0.key == key }, "there is no key \(key)")
    }

    func text(_ key: String) throws -> String { try entry(key).text }
}
