import LinuxIO

/// The kernel's facts about this process (`/proc/self/status`, proc(5)), and about others.
package enum ProcessStatus {
    package struct UnknownLine: Error {
        package let name: String
    }

    /// Returns the number of a line.
    ///
    /// - Parameter name: The name of the line, such as `FDSize`, or `RssFile`, whose number is in kilobytes.
    package static func number(_ name: String) throws -> Int {
        let status = String(decoding: try FileSystem.contents(of: "/proc/self/status"), as: UTF8.self)
        let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        let word = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
        guard let number = word.flatMap({ Int($0) }) else { throw UnknownLine(name: name) }
        return number
    }

    /// Returns whether a process is gone, or has ended and is not reaped yet. A test can reap only its own children.
    package static func hasEnded(_ pid: Int32) -> Bool {
        guard let stat = try? FileSystem.contents(of: "/proc/\(pid)/stat") else { return true }
        let state = String(decoding: stat, as: UTF8.self).split(separator: ")").last?.split(separator: " ").first
        return state == "Z" || state == "X"
    }
}
