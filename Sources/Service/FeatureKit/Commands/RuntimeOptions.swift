package import ArgumentParser
import FoundationEssentials
package import ServiceConfiguration

/// The flags that every command has for keys of the configuration. They take precedence over the environment and the
/// configuration file. The loader checks them, so a wrong value gets the same message from each source.
///
/// This group contains no other group, and each command has the groups of this file side by side. In debug builds,
/// ArgumentParser checks a group that is within another group again for each of the four checks of the outer group.
package struct RuntimeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The configuration file. Default: \(ConfigurationLoader.defaultPath), if it exists.", valueName: "file"))
    package var config: String?

    @Option(
        help: ArgumentHelp(
            "The directory of the app group containers. Default: /var/lib/appgroupd.", valueName: "directory"))
    package var root: String?

    @Option(
        help: ArgumentHelp(
            "Permit fetching from this range of addresses, on any port, even if it is not public. Repeatable.",
            valueName: "cidr"))
    package var allowAddress: [String] = []

    @Option(help: "Fetch only from this host, or from the hosts of a pattern such as *.example.com. Repeatable.")
    package var allowHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "Never fetch from this host, or from the hosts of a pattern such as *.example.com. Repeatable.",
            valueName: "host"))
    package var denyHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "Fetch from this port instead of 80 and 443. Repeatable, for several ports.", valueName: "port"))
    package var allowPort: [String] = []

    @Option(
        help: ArgumentHelp("Number of worker processes. Default: the number of processor cores.", valueName: "count"))
    package var workers: String?

    @Flag(help: "Refuse to decode media unless every layer of the workers' sandbox is active.")
    package var requireSandbox = false

    @Option(help: "The time for each payload, such as 500ms, 5s or 2m; at most 1h. Default: 30s.")
    package var budget: String?
    package var flags: [FlagValue] {
        let single: [(String, String?)] = [("--root", root), ("--workers", workers), ("--budget", budget)]
        let lists = [
            ("--allow-address", allowAddress), ("--allow-host", allowHost), ("--deny-host", denyHost),
            ("--allow-port", allowPort),
        ]
        return single.compactMap { flag, text in text.map { FlagValue(flag, $0) } }
            + (requireSandbox ? [FlagValue("--require-sandbox", "all")] : [])
            + lists.flatMap { flag, texts in texts.map { FlagValue(flag, $0) } }
    }

    package init() {}
}

/// The flag of a command that works for one profile.
package struct ProfileOptions: ParsableArguments {
    @Option(help: "The receiving platform: ios, android, web, watch or original. Default: ios.")
    package var profile: String?

    package var flags: [FlagValue] { profile.map { [FlagValue("--profile", $0)] } ?? [] }

    package init() {}
}

/// The flags of `serve` and `config` for the settings of a daemon.
package struct DaemonOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The unix socket of the HTTP API. Default: ROOT/appgroupd.sock.", valueName: "path"))
    package var socket: String?

    @Option(
        help: ArgumentHelp(
            "The TCP address of the HTTP API, or none for no TCP. Default: 127.0.0.1:8480.", valueName: "host:port"))
    package var listen: String?

    @Option(help: "The lowest level that is logged: trace, debug, info, notice, warning or error. Default: info.")
    package var logLevel: String?

    @Option(
        help: "The format of log lines: text, json, or auto (text on a terminal, and json elsewhere). Default: auto.")
    package var logFormat: String?

    @Option(
        help: ArgumentHelp(
            "Record requests that fail in this folder, for `lab replay`. Default: none.", valueName: "folder"))
    package var record: String?

    package init() {}

    /// Returns the values of the flags. The verbosity decides the level of the log if `--log-level` is not given.
    package func flags(_ verbosity: VerbosityOptions) -> [FlagValue] {
        [
            ("--socket", socket), ("--listen", listen), ("--log-level", logLevel ?? verbosity.logLevel),
            ("--log-format", logFormat), ("--record", record),
        ].compactMap { flag, text in text.map { FlagValue(flag, $0) } }
    }
}

extension ConfigurationLoader {
    /// Creates a loader for a command.
    ///
    /// - Parameter others: The flags of the command, without the flags that all commands have.
    /// - Parameter checks: The checks of the configuration against this machine. `doctor` passes no checks, because it
    ///   reports the same problems as findings.
    package init(_ options: RuntimeOptions, _ others: [FlagValue] = [], checks: [ConfigurationCheck] = .ofMedia) {
        self.init(options.flags + others, file: options.config, checks: checks)
    }

    /// Creates a loader with the environment of this process and the defaults of this machine.
    package init(_ flags: [FlagValue], file: String?, checks: [ConfigurationCheck] = []) {
        self.init(
            flags: flags, file: file, environment: ProcessInfo.processInfo.environment,
            defaults: Configuration.ofThisMachine, checks: checks)
    }

    /// Loads the configuration of a command. A verbose command also prints each setting that is not a default.
    ///
    /// - Throws: A failure with status 2 and a line for each problem.
    package func configuration() throws(CommandFailure) -> Configuration {
        let configuration = try loaded()
        for entry in configuration.entries where entry.source != .default {
            StandardStreams.detail("\(entry.key): \(entry.text) (\(entry.source))")
        }
        return configuration
    }

    /// Loads the configuration of the daemon. Nothing is printed, because standard error is for the daemon's log.
    ///
    /// - Throws: A failure with status 2 and a line for each problem.
    package func loaded() throws(CommandFailure) -> Configuration {
        do throws(ConfigurationErrors) { return try load().get() } catch {
            throw CommandFailure(.usage, error.lines.joined(separator: "\nappgroupd: "))
        }
    }
}
