import Glibc

/// The memory of another process.
package enum ProcessMemory {
    /// Resident memory that no file is behind, in bytes; `nil` when the process is gone.
    package static func privateBytes(of processIdentifier: Int32) -> Int? {
        guard let bytes = try? FileSystem.contents(of: "/proc/\(processIdentifier)/statm") else { return nil }
        // Pages: size, resident, shared (proc(5)).
        let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
        guard fields.count > 2 else { return nil }
        return (fields[1] - fields[2]) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// The highest mark of resident memory, in bytes, since this was last asked; `nil` when the process is gone.
    package static func peakBytes(of processIdentifier: Int32) -> Int? {
        guard let kilobytes = ProcessFacts(of: processIdentifier)?.kilobytes("VmHWM") else { return nil }
        // Sets the mark back to what there is now, if this user may do that (proc(5)).
        if let file = try? OwnedDescriptor.adopt(
            unsafe open("/proc/\(processIdentifier)/clear_refs", O_WRONLY | O_CLOEXEC), from: "open clear_refs")
        {
            try? FileSystem.write([UInt8(ascii: "5")], to: file.raw)
        }
        return kilobytes << 10
    }
}
