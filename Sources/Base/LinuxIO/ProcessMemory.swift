import CLinuxShims
import Glibc

/// The memory of another process.
package enum ProcessMemory {
    /// Returns the resident memory that belongs to no file, in bytes; `nil` if the process has ended.
    package static func privateBytes(of processIdentifier: Int32) -> Int? {
        guard let bytes = try? FileSystem.contents(of: "/proc/\(processIdentifier)/statm") else { return nil }
        // The fields are size, resident memory and shared memory, in pages (proc(5)).
        let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
        guard fields.count > 2 else { return nil }
        return (fields[1] - fields[2]) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Returns the peak of resident memory since the last call, in bytes; `nil` if the process has ended.
    package static func peakBytes(of processIdentifier: Int32) -> Int? {
        guard let kilobytes = ProcessFacts(of: processIdentifier)?.kilobytes("VmHWM") else { return nil }
        // Writing 5 to `clear_refs` resets the peak to the current value, if this user is permitted to write (proc(5)).
        if let file = try? OwnedDescriptor.open("/proc/\(processIdentifier)/clear_refs", O_WRONLY) {
            try? FileSystem.write([UInt8(ascii: "5")], to: file.raw)
        }
        return kilobytes << 10
    }
}

/// The allocator of the C library, which serves the whole process.
package enum Allocator {
    /// The number of free bytes in the heaps, with those that were returned to the system.
    package static var freeBytes: Int { agd_free_heap() }

    /// Returns free pages to the system, unless all heaps have at most `free` free bytes. After a burst of requests,
    /// free pages are all over the heaps, and the allocator by itself returns only those at the ends.
    ///
    /// The call takes milliseconds for each ten MiB. During the call, no thread can allocate from the heap that is
    /// trimmed.
    package static func trim(beyond free: Int = 0) { agd_trim_heap(free) }

    /// Makes the allocator keep freed memory, instead of requesting it again page by page each time.
    ///
    /// - Parameter block: The size of the largest blocks that come from the heap, in bytes, at most 32 MiB.
    /// - Parameter free: The number of freed bytes at the end of the heap that are not returned to the system.
    /// - Returns: Whether the allocator accepts the values.
    package static func keep(blocksOf block: Int32, free: Int32) -> Bool { agd_keep_heap(block, free) == 0 }
}

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

    /// Reads the facts about a process; returns `nil` if the process does not exist.
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
