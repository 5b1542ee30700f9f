import Base
import Glibc
import LinuxIO
import NotificationModel

/// A child process that is measured from its start to its end.
///
/// `BenchProcess` has the parts that all benchmarks use to run processes. A benchmark passes the path and the arguments
/// of a program, and gets its `ProcessUsage`. Messages go through a socket, which is the child's descriptor 3. The
/// functions throw a `BenchFailure` if the program is missing, the child ends with an error, or the child sends no
/// message.
///
/// All functions run on the calling thread and block it until the child responds or ends, at most 300 s for a message.
/// The functions cannot be cancelled: a user ends the benchmark with ^C.
package struct MeasuredProcess: ~Copyable {
    private let child: ChildProcess
    private let socket: MessageSocket
    private let name: String
    private let start = MonotonicInstant.now

    /// - Parameter path: The path of an executable. Its standard input is empty, and its output goes to standard error.
    package init(_ path: String, _ arguments: [String]) throws {
        guard FileSystem.isExecutable(path) else {
            throw BenchFailure("\(path) is missing: scripts/setup bench installs it")
        }
        let pair = try MessageSocket.pair()
        let child = try ChildProcess.spawn(path, arguments: arguments, inheriting: pair.child.descriptor.raw)
        self.child = child
        socket = pair.takeParent()
        name = path
    }

    /// Starts this program again, as a worker.
    package init(worker arguments: Arguments) throws {
        try self.init(FileSystem.currentExecutable(), arguments.words)
    }

    /// Starts a program that was built together with this one, as a worker.
    package init(besides name: String, worker arguments: Arguments) throws {
        let own = try FileSystem.currentExecutable()
        try self.init(own[..<(own.lastIndex(of: "/") ?? own.startIndex)] + "/\(name)", arguments.words)
    }

    /// Waits for the next message of the worker, and returns it.
    package borrowing func receive() throws -> String {
        guard let message = try socket.receive(upTo: 4_096, within: .seconds(300)) else {
            throw BenchFailure("a worker ended too early")
        }
        return String(decoding: message.bytes, as: UTF8.self)
    }

    package borrowing func send(_ text: String) throws { try socket.send(Array(text.utf8)) }

    /// Returns the peak of the child's memory so far (`VmHWM`), in kilobytes.
    package borrowing func peakKilobytes() throws -> Int {
        guard let memory = Self.memory(of: child.pid) else { throw BenchFailure("\(name) ended too early") }
        return memory.peak
    }

    /// Waits for the end of the child, and samples its memory during the wait.
    ///
    /// The kernel itself records the peak, so only a peak in the last milliseconds could be missed. The peak in
    /// `rusage` is not used, because it includes the parent's memory at the time of the start.
    package consuming func end() throws -> ProcessUsage { try usage(telling: false) }

    /// Waits for the end of a worker that reports its processor time before its end, in microseconds. The memory is
    /// sampled like in `end`. The result contains the times up to this message.
    package consuming func endOnRequest() throws -> ProcessUsage { try usage(telling: true) }

    private consuming func usage(telling: Bool) throws -> ProcessUsage {
        var reported: (wall: Duration, processor: Duration)?
        var (peak, peakPrivate) = (0, 0)
        while true {
            var status: Int32 = 0
            var usage = rusage()
            let ended = wait4(child.pid, &status, WNOHANG, &usage)
            if ended == child.pid {
                let wall = start.duration(to: .now)
                guard status == 0 else { throw BenchFailure("\(name) ended with the wait status \(status)") }
                guard reported != nil || !telling else { throw BenchFailure("a worker reported no times") }
                return ProcessUsage(
                    wall: reported?.wall ?? wall,
                    processor: reported?.processor ?? Self.duration(usage.ru_utime) + Self.duration(usage.ru_stime),
                    peakKilobytes: peak, peakPrivateKilobytes: peakPrivate)
            }
            guard ended == 0 || errno == EINTR else { throw SystemError.last("wait4") }
            if let memory = Self.memory(of: child.pid) {
                (peak, peakPrivate) = (memory.peak, max(peakPrivate, memory.anonymous))
            }
            if telling, reported == nil, let message = try? socket.receive(upTo: 64, within: .milliseconds(10)) {
                let microseconds = Int(String(decoding: message.bytes, as: UTF8.self)) ?? 0
                reported = (start.duration(to: .now), .microseconds(microseconds))
            } else {
                var waiting = pollfd(fd: child.exitDescriptor.raw, events: Int16(POLLIN), revents: 0)
                _ = poll(&waiting, 1, telling && reported == nil ? 0 : 10)
            }
        }
    }

    private static func duration(_ time: timeval) -> Duration {
        .seconds(time.tv_sec) + .microseconds(time.tv_usec)
    }

    /// Returns `VmHWM` and `RssAnon` (proc(5)), in kilobytes.
    private static func memory(of pid: Int32) -> (peak: Int, anonymous: Int)? {
        guard let status = ProcessFacts(of: pid), let peak = status.kilobytes("VmHWM"),
            let anonymous = status.kilobytes("RssAnon")
        else { return nil }
        return (peak, anonymous)
    }
}
