import LinuxIO

/// What the kernel says of this process (`/proc/self/status`, proc(5)), and of others.
package enum ProcessStatus {
    package struct UnknownLine: Error {
        package let name: String
    }

    /// - Parameter name: of a line with a number: `FDSize`, or `RssFile`, in kilobytes.
    package static func number(_ name: String) throws -> Int {
        let status = String(decoding: try FileSystem.contents(of: "/proc/self/status"), as: UTF8.self)
        let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        let word = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
        guard let number = word.flatMap({ Int($0) }) else { throw UnknownLine(name: name) }
        return number
    }

    /// Whether a process is gone, or has ended and is not reaped yet. No test can reap a process that is not its child.
    package static func hasEnded(_ pid: Int32) -> Bool {
        guard let stat = try? FileSystem.contents(of: "/proc/\(pid)/stat") else { return true }
        let state = String(decoding: stat, as: UTF8.self).split(separator: ")").last?.split(separator: " ").first
        return state == "Z" || state == "X"
    }
}
