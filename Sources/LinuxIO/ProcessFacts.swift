/// The descriptors that the calling process has open.
package enum ProcessDescriptors {
    /// Number of open descriptors; `nil` if they cannot be counted, which needs one more.
    package static var open: Int? {
        // One of them is the reading of the directory.
        (try? FileSystem.names(in: "/proc/self/fd")).map { $0.count - 1 }
    }
}

/// The kernel's facts about a process (`/proc/PID/status`, proc(5)), as they are when they are read.
package struct ProcessFacts: Sendable {
    private let lines: [Substring: Substring]

    /// - Returns: `nil` when there is no such process.
    package init?(of processIdentifier: Int32) {
        guard let text = try? FileSystem.contents(of: "/proc/\(processIdentifier)/status") else { return nil }
        lines = Dictionary(
            String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line in
                guard let colon = line.firstIndex(of: ":") else { return nil }
                return (line[..<colon], line[line.index(after: colon)...])
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The words of a line such as `Uid`; `nil` when this kernel has no such line.
    package func words(_ name: Substring) -> [Substring]? { lines[name]?.split { $0 == "\t" || $0 == " " } }

    /// The size of a line such as `VmHWM`, in kilobytes.
    package func kilobytes(_ name: Substring) -> Int? { words(name)?.first.flatMap { Int($0) } }
}
