import Glibc
import LinuxIO

/// The activity of this process and of its children, by proc(5).
///
/// A thread that can run is never shown as sleeping, even if it waits for a processor, and a thread that waits for a disk
/// is shown as such. If all threads sleep in two snapshots, and none has been switched in between, then there was an
/// instant at which no thread could run. After it, only a timer or another process can wake a thread.
enum ProcessActivity {
    /// The number of switches of each thread.
    typealias Snapshot = [String: String]

    /// Returns a snapshot; `nil` if a thread runs, or if it cannot be read.
    ///
    /// - Parameter own: The thread that is ignored, because it takes the snapshot.
    static func sleepingThreads(except own: Int32) -> Snapshot? {
        var snapshot: Snapshot = [:]
        var processes = ["self"]
        while let process = processes.popLast() {
            guard let threads = try? FileSystem.names(in: "/proc/\(process)/task") else {
                // The child has ended.
                if process == "self" { return nil }
                continue
            }
            for thread in threads {
                let place = "/proc/\(process)/task/\(thread)"
                if let children = try? FileSystem.contents(of: "\(place)/children") {
                    processes += String(decoding: children, as: UTF8.self).split(separator: " ").map(String.init)
                }
                guard thread != "\(own)" else { continue }
                guard let status = try? FileSystem.contents(of: "\(place)/status") else { return nil }
                let fields = Self.fields(of: status)
                guard fields.isSleeping else { return nil }
                snapshot[place] = fields.switches
            }
        }
        return snapshot
    }

    /// Whether the kernel lists the children of threads (`CONFIG_PROC_CHILDREN`).
    static var isSupported: Bool { FileSystem.isRegularFile("/proc/self/task/\(getpid())/children") }

    private static func fields(of status: [UInt8]) -> (isSleeping: Bool, switches: String) {
        var isSleeping = false
        var switches = ""
        for line in status.split(separator: UInt8(ascii: "\n")) {
            if line.starts(with: "State:".utf8) {
                // Sleeping, or ended and not reaped yet.
                let state = line.dropFirst("State:\t".utf8.count).first
                isSleeping = state == UInt8(ascii: "S") || state == UInt8(ascii: "Z")
            } else if line.starts(with: "voluntary_".utf8) || line.starts(with: "nonvoluntary_".utf8) {
                switches += String(decoding: line, as: UTF8.self)
            }
        }
        return (isSleeping, switches)
    }
}
