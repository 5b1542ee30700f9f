/// A loader that combines flags, environment, file and defaults into one checked configuration.
///
/// A reload is a second call of `load`: it uses the same flags and environment, and reads the files again. Loading
/// blocks on the file system. The loader caches and logs nothing.
package struct ConfigurationLoader: Sendable {
    package static let defaultPath = "/etc/appgroupd/appgroupd.yaml"

    private let flags: [FlagValue]
    private let file: String?
    private let environment: [String: String]
    private let defaults: Configuration
    private let defaultPath: String
    private let checks: [ConfigurationCheck]

    /// - Parameter flags: The flags that were given, in their order. All of them belong to keys.
    /// - Parameter file: The file that `--config` names, which must exist; `nil` if the flag is not given.
    /// - Parameter environment: The whole environment. Names that do not begin with `APPGROUPD_` are ignored.
    /// - Parameter defaults: The values of the keys that no source sets.
    /// - Parameter defaultPath: The path of the file that is read if it exists and no other file is named.
    /// - Parameter checks: The checks of the final values, which run if all values are valid.
    package init(
        flags: [FlagValue] = [], file: String? = nil, environment: [String: String], defaults: Configuration,
        defaultPath: String = ConfigurationLoader.defaultPath, checks: [ConfigurationCheck] = []
    ) {
        self.flags = flags
        self.file = file
        self.environment = environment
        self.defaults = defaults
        self.defaultPath = defaultPath
        self.checks = checks
    }

    /// Loads the configuration. All errors are found, including the errors of values that a source with a higher
    /// precedence replaces.
    ///
    /// - Parameter kept: The app groups in force. A group whose new settings have an error keeps its settings, and
    ///   `AppGroups.invalid` has the error. If `nil`, these errors are errors of the configuration.
    package func load(keeping kept: AppGroups? = nil) -> Result<Configuration, ConfigurationErrors> {
        let file = fileLayer()
        let environment = EnvironmentLayer(environment)
        let flags = FlagLayer(flags)
        var configuration = defaults
        var fileProblems = file.problems
        var otherProblems = environment.problems + flags.problems
        for key in ConfigurationKey.inReadingOrder {
            for value in [file.values, environment.values, flags.values].compactMap({ $0[key.path] }) {
                do throws(ValueErrors) {
                    if let kept, key.path == ConfigurationKey.groupsPath {
                        try Self.readGroups(value, &configuration, keeping: kept)
                    } else {
                        try key.read(value, &configuration)
                    }
                    configuration.note(value.source, for: key)
                } catch {
                    for refusal in error.all {
                        let line = Self.line(refusal.source, key.path, refusal.place, refusal.text)
                        if case .file(_, let number) = refusal.source {
                            fileProblems.append((number, line))
                        } else {
                            otherProblems.append(line)
                        }
                    }
                }
            }
        }
        // Errors with the same line stay in the order of the keys.
        let sorted = fileProblems.enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }
        let lines = sorted.map(\.element.text) + otherProblems
        guard lines.isEmpty else { return .failure(ConfigurationErrors(lines)) }
        if let problem = Self.socketProblem(of: configuration) { return .failure(ConfigurationErrors([problem])) }
        let failed = checks.compactMap { check in
            check.problem(configuration).map {
                Self.line(configuration.sources[check.key] ?? .default, check.key, "", $0)
            }
        }
        return failed.isEmpty ? .success(configuration) : .failure(ConfigurationErrors(failed))
    }

    /// Reads the app groups, and keeps the settings of each group whose new settings have an error.
    private static func readGroups(
        _ value: ConfigNode, _ configuration: inout Configuration, keeping kept: AppGroups
    ) throws(ValueErrors) {
        let reader = GroupsReader(value, over: configuration)
        guard reader.errors.isEmpty else { throw ValueErrors(reader.allErrors) }
        configuration.groups = reader.groups
        for (name, errors) in reader.errorsByGroup {
            if let settings = kept[name] { configuration.groups.settings.append(settings) }
            configuration.groups.invalid[name] = errors.map {
                line($0.source, ConfigurationKey.groupsPath, $0.place, $0.text)
            }
        }
    }

    private static func line(_ source: ValueSource, _ key: String, _ place: String, _ text: String) -> String {
        switch source {
        // The name of a variable or a flag already identifies the key.
        case .environment, .flag: "\(source.inMessage): \(place.isEmpty ? "" : key + place + ": ")\(text)"
        case .default, .file: "\(source.inMessage): \(key)\(place): \(text)"
        }
    }

    /// The path of the file that `load` would read, whether it exists or not.
    package var path: String { file ?? environment[EnvironmentLayer.fileVariable] ?? defaultPath }

    private func fileLayer() -> FileLayer {
        if let file { return FileLayer(path: file, namedBy: .flag("--config")) }
        if let file = environment[EnvironmentLayer.fileVariable] {
            return FileLayer(path: file, namedBy: .environment(EnvironmentLayer.fileVariable))
        }
        return FileLayer(path: defaultPath, namedBy: nil)
    }

    /// Returns the error of a socket whose path is too long because of its root; `nil` if the path is short enough.
    private static func socketProblem(of configuration: Configuration) -> String? {
        guard configuration.socket.utf8.count > SocketPath.maxLength else { return nil }
        let source = configuration.sources["root"] ?? .default
        return "\(source.inMessage): the socket's path in this root has more than \(SocketPath.maxLength) bytes: "
            + "name a shorter root, or a socket elsewhere"
    }
}

/// A check of a final value against this machine. The component that uses the value provides the check.
///
/// The loader runs the checks last, so that a start and a reload refuse a value that would fail later.
package struct ConfigurationCheck: Sendable {
    let key: String
    let problem: @Sendable (Configuration) -> String?

    /// - Parameter key: The path of the key, such as `fetch.caFile`.
    /// - Parameter problem: A function that returns the error and its remedy; `nil` if the value is valid. It may block
    ///   on the file system.
    package init(_ key: String, problem: @escaping @Sendable (Configuration) -> String?) {
        self.key = key
        self.problem = problem
    }
}

/// All errors of a configuration, each in one line with its source and its remedy.
package struct ConfigurationErrors: Error, Sendable, Equatable, CustomStringConvertible {
    /// The lines, which are never empty. Errors of the file come first, from top to bottom, before the errors of the
    /// environment and of the flags.
    package let lines: [String]

    init(_ lines: [String]) { self.lines = lines }

    package var description: String { lines.joined(separator: "\n") }
}
