import FoundationEssentials
import Glibc
import LinuxIO

/// The facts about the machine and the software of a measurement.
package enum BenchEnvironment {
    /// Returns the lines of a report about the machine.
    ///
    /// - Parameter versions: The versions of the compared programs.
    package static func lines(versions: String) -> [String] {
        let information = file("/proc/cpuinfo").split(separator: "\n")
        let processor = information.first { $0.hasPrefix("model name") }?.split(separator: ":").last
        let count = information.count { $0.hasPrefix("processor") }
        let memory = file("/proc/meminfo").split(separator: "\n").first?.split(whereSeparator: \.isWhitespace)
            .dropFirst().first.flatMap { Int($0) }
        let system = file("/etc/os-release").split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
        return [
            "Machine: \(count) × \(trimmed(processor ?? "unknown")), \((memory ?? 0) / 1_048_576) GiB, "
                + "\(system?.dropFirst(13).dropLast() ?? "Linux"), Linux \(trimmed(file("/proc/sys/kernel/osrelease")[...]))",
            versions,
            "Date: \(Date.now.formatted(.iso8601)), load before: \(load)",
        ]
    }

    /// The load of the last minute (proc(5)).
    package static var load: String { String(file("/proc/loadavg").prefix { $0 != " " }) }

    private static func file(_ path: String) -> String {
        String(decoding: (try? FileSystem.contents(of: path)) ?? [], as: UTF8.self)
    }

    private static func trimmed(_ text: Substring) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
