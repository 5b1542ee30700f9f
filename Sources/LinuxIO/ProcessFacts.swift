/// The open descriptors of the calling process.
package enum ProcessDescriptors {
    /// The number of open descriptors; `nil` if they cannot be counted. Counting them needs one more descriptor.
    package static var open: Int? {
        // One of the descriptors belongs to the reading of the directory.
        (try? FileSystem.names(in: "/proc/self/fd")).map { $0.count - 1 }
    }
}

/// The kernel's facts about a process at the time of the call (`/proc/PID/status`, proc(5)).
package struct ProcessFacts: Sendable {
    private let lines: [Substring: Substring]

    /// Reads the facts about a process.
    ///
    /// - Returns: `nil` if the process does not exist.
    package init?(of processIdentifier: Int32) {
        guard let text = try? FileSystem.contents(of: "/proc/\(processIdentifier)/status") else { return nil }
        lines = Dictionary(
            String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line in
                guard let colon = line.firstIndex(of: ":") else { return nil }
                return (line[..<colon], line[line.index(after: colon)...])
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the words of a line such as `Uid`; `nil` if this kernel has no such line.
    package func words(_ name: Substring) -> [Substring]? { lines[name]?.split { $0 == "\t" || $0 == " " } }

    /// Returns the size in a line such as `VmHWM`, in kilobytes; `nil` if this kernel has no such line.
    package func kilobytes(_ name: Substring) -> Int? { words(name)?.first.flatMap { Int($0) } }
}
