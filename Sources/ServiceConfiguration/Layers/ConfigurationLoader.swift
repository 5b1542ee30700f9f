/// Joins flags, environment, file and defaults into one checked configuration.
///
/// A value of its own, so that a reload is a second call of `load`: flags and environment stay what they were, and the
/// files are read anew. Loading blocks on the file system; nothing is cached or logged.
package struct ConfigurationLoader: Sendable {
    package static let defaultPath = "/etc/appgroupd/appgroupd.yaml"

    private let flags: [FlagValue]
    private let file: String?
    private let environment: [String: String]
    private let defaults: Configuration
    private let defaultPath: String
    private let checks: [ConfigurationCheck]

    /// - Parameters:
    ///   - flags: those that were given, in their order; all belong to keys.
    ///   - file: what `--config` names; it must exist.
    ///   - environment: all of it; names that do not begin with `APPGROUPD_` are left alone.
    ///   - defaults: what nobody decides otherwise.
    ///   - defaultPath: of the file that is read if it exists and no other is named.
    ///   - checks: of values in force, when all of them can be read.
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

    /// Every problem is found, also those of values that a higher source replaces.
    package func load() -> Result<Configuration, ConfigurationErrors> {
        let file = fileLayer()
        let environment = EnvironmentLayer(environment)
        let flags = FlagLayer(flags)
        var configuration = defaults
        var fileProblems = file.problems
        var otherProblems = environment.problems + flags.problems
        for key in ConfigurationKey.all {
            for value in [file.values, environment.values, flags.values].compactMap({ $0[key.path] }) {
                do throws(ValueErrors) {
                    try key.read(value, &configuration)
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
        // The order of equal lines is that of the keys.
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

    private static func line(_ source: ValueSource, _ key: String, _ place: String, _ text: String) -> String {
        switch source {
        // The name of a variable or a flag says the key.
        case .environment, .flag: "\(source.inMessage): \(place.isEmpty ? "" : key + place + ": ")\(text)"
        case .default, .file: "\(source.inMessage): \(key)\(place): \(text)"
        }
    }

    /// The file that `load` would read, whether it exists or not.
    package var path: String { file ?? environment[EnvironmentLayer.fileVariable] ?? defaultPath }

    private func fileLayer() -> FileLayer {
        if let file { return FileLayer(path: file, namedBy: .flag("--config")) }
        if let file = environment[EnvironmentLayer.fileVariable] {
            return FileLayer(path: file, namedBy: .environment(EnvironmentLayer.fileVariable))
        }
        return FileLayer(path: defaultPath, namedBy: nil)
    }

    /// A socket in a root that is too deep for one.
    private static func socketProblem(of configuration: Configuration) -> String? {
        guard configuration.socket.utf8.count > SocketPath.longest else { return nil }
        let source = configuration.sources["root"] ?? .default
        return "\(source.inMessage): the socket's path in this root has more than \(SocketPath.longest) bytes: "
            + "name a shorter root, or a socket elsewhere"
    }
}

/// A check of a value in force against this machine, by somebody who uses the value.
///
/// The loader makes the checks last, so that a start and a reload refuse what would fail later.
package struct ConfigurationCheck: Sendable {
    let key: String
    let problem: @Sendable (Configuration) -> String?

    /// - Parameters:
    ///   - key: its path, as `fetch.caFile`.
    ///   - problem: says what is wrong and how to mend it; `nil` when nothing is. It may block on the file system.
    package init(_ key: String, problem: @escaping @Sendable (Configuration) -> String?) {
        self.key = key
        self.problem = problem
    }
}

/// All that is wrong with a configuration, each in one line: where, what, how to mend it.
package struct ConfigurationErrors: Error, Sendable, Equatable, CustomStringConvertible {
    /// Never empty. The file's come first, from top to bottom; then the environment's and the flags'.
    package let lines: [String]

    init(_ lines: [String]) { self.lines = lines }

    package var description: String { lines.joined(separator: "\n") }
}
