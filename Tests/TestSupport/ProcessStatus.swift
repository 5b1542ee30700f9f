import LinuxIO
import Testing

/// What the kernel says of this process (`/proc/self/status`, proc(5)).
package enum ProcessStatus {
    /// - Parameter name: of a line with a number: `FDSize`, or `RssFile`, in kilobytes.
    package static func number(_ name: String) throws -> Int {
        let status = String(decoding: try FileSystem.contents(of: "/proc/self/status"), as: UTF8.self)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name + ":") })
        return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
    }
}
