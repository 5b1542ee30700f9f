/// The memory limit of the control groups that a process is in (cgroups(7)).
package enum ControlGroupMemory {
    /// Version 1 writes a number near 2^63 for no limit.
    private static let mostBytes = 1 << 60
    /// Most bytes that are used of a file of the kernel.
    private static let mostFileBytes = 1 << 16

    /// Returns the smallest limit of the calling process's control group and of the groups around it, in bytes: `memory.max`
    /// of version 2, or `memory.limit_in_bytes` of version 1.
    ///
    /// In a container the group may be mounted at the root of the file system of groups, while the process has its path
    /// outside of the container. The root is asked in any case, so the limit is found there.
    ///
    /// - Parameter root: the directory that has `proc` and `sys`; empty for those of the system.
    /// - Returns: `nil` if there is no limit, or if none can be read.
    package static func limit(root: String = "") -> Int? {
        guard let groups = text(of: "\(root)/proc/self/cgroup") else { return nil }
        let mount = "\(root)/sys/fs/cgroup"
        var limits: [Int] = []
        for line in groups.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            if parts[0] == "0", parts[1].isEmpty {
                limits += Self.limits(of: parts[2], below: [mount, "\(mount)/unified"], file: "memory.max")
            } else if parts[1].split(separator: ",").contains("memory") {
                limits += Self.limits(of: parts[2], below: ["\(mount)/memory"], file: "memory.limit_in_bytes")
            }
        }
        return limits.min()
    }

    /// Returns the limits of a group and of the groups around it.
    private static func limits(of group: Substring, below mounts: [String], file: String) -> [Int] {
        var names = group.split(separator: "/")
        var limits: [Int] = []
        while true {
            let path = names.map { "/\($0)" }.joined()
            for mount in mounts {
                // `max` is no number.
                if let limit = text(of: "\(mount)\(path)/\(file)").flatMap({ Int($0.prefix { $0 != "\n" }) }),
                    limit < mostBytes
                {
                    limits.append(limit)
                }
            }
            guard names.popLast() != nil else { return limits }
        }
    }

    private static func text(of path: String) -> String? {
        guard let file = try? FileReader(path) else { return nil }
        var bytes: [UInt8] = []
        while bytes.count < mostFileBytes {
            guard let piece = try? file.next() else { return nil }
            guard !piece.isEmpty else { break }
            bytes += piece
        }
        return String(decoding: bytes.prefix(mostFileBytes), as: UTF8.self)
    }
}
