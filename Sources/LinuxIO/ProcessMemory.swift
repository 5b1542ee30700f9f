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
        if let file = try? OwnedDescriptor.adopt(
            unsafe open("/proc/\(processIdentifier)/clear_refs", O_WRONLY | O_CLOEXEC), from: "open clear_refs")
        {
            try? FileSystem.write([UInt8(ascii: "5")], to: file.raw)
        }
        return kilobytes << 10
    }
}

/// The allocator of the C library, which serves the whole process.
package enum Allocator {
    /// Returns free pages to the system. After a burst of requests, free pages are all over the heaps, and the
    /// allocator by itself returns only those at the ends.
    ///
    /// The call takes milliseconds for each ten MiB. During the call, no thread can allocate from the heap that is
    /// trimmed.
    ///
    /// - Parameter free: The number of free bytes in all heaps up to which the call does nothing.
    package static func trim(beyond free: Int = 0) { agd_trim_heap(free) }

    /// Makes the allocator keep freed memory, instead of requesting it again page by page each time.
    ///
    /// - Parameter block: The size of the largest blocks that come from the heap, in bytes, at most 32 MiB.
    /// - Parameter free: The number of freed bytes at the end of the heap that are not returned to the system.
    /// - Returns: Whether the allocator accepts the values.
    package static func keep(blocksOf block: Int32, free: Int32) -> Bool { agd_keep_heap(block, free) == 0 }
}
