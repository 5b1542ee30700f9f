/// The memory limit of the control groups of a process (cgroups(7)).
package enum ControlGroupMemory {
    /// The largest number that is a limit, in bytes. Version 1 writes a number near 2^63 if there is no limit.
    private static let maxBytes = 1 << 60
    /// The maximum number of bytes that are read from a kernel file.
    private static let maxFileBytes = 1 << 16

    /// Returns the smallest memory limit of the calling process's control group and its parents, in bytes; `nil` if no
    /// limit is set or can be read. The limit is `memory.max` of version 2, or `memory.limit_in_bytes` of version 1.
    /// `root` is the directory that has `proc` and `sys`; empty for those of the system.
    ///
    /// In a container, the group may be mounted at the root of the group file system, but the process has its path
    /// outside the container. The root is always read, so the limit is found there.
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

    /// Returns the limits of a group and of its parents, in bytes.
    private static func limits(of group: Substring, below mounts: [String], file: String) -> [Int] {
        var names = group.split(separator: "/")
        var limits: [Int] = []
        while true {
            let path = names.map { "/\($0)" }.joined()
            for mount in mounts {
                // Version 2 writes `max`, which is no number, if there is no limit.
                if let limit = text(of: "\(mount)\(path)/\(file)").flatMap({ Int($0.prefix { $0 != "\n" }) }),
                    limit < maxBytes
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
        while bytes.count < maxFileBytes {
            guard let piece = try? file.next() else { return nil }
            guard !piece.isEmpty else { break }
            bytes += piece
        }
        return String(decoding: bytes.prefix(maxFileBytes), as: UTF8.self)
    }
}
