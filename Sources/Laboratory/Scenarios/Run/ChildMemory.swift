import Glibc
import LinuxIO

/// The memory of the child processes, by proc(5).
enum ChildMemory {
    /// The largest resident memory that a running child has had, in bytes; `nil` without children.
    static var largest: Int? {
        guard let processes = try? FileSystem.names(in: "/proc") else { return nil }
        let own = Int(getpid())
        return processes.filter { $0.first?.isNumber == true }.compactMap { process -> Int? in
            guard let status = try? FileSystem.contents(of: "/proc/\(process)/status") else { return nil }
            let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
            guard field("PPid:", in: lines) == own else { return nil }
            return field("VmHWM:", in: lines).map { $0 * 1_024 }
        }.max()
    }

    private static func field(_ name: String, in lines: [Substring]) -> Int? {
        lines.first { $0.hasPrefix(name) }?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
            .flatMap { Int($0) }
    }
}
