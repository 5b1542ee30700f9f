import Glibc
package import LinuxIO
import NotificationModel
package import Sandbox
import TranscodeProtocol

/// The program of the workers, which is opened once. All workers of a daemon run the program that was installed when the
/// daemon was started, also while another version is installed.
package struct WorkerProgram: Sendable {
    package let path: String
    fileprivate let file: ProgramFile?

    package init(_ path: String) {
        self.path = path
        file = .open(path)
    }
}

/// The owner of one worker process and of the daemon's end of its socket. Its end kills and reaps the process.
package struct WorkerProcess: ~Copyable {
    package let socket: MessageSocket
    package let child: ChildProcess
    /// Whether the daemon may limit the processor time of each job. A worker of another user needs CAP_SYS_RESOURCE.
    package let canLimitProcessorTime: Bool

    /// The maximum number of messages that an ended worker can leave in the socket. A worker sends at most two replies
    /// to a job, and one report of a forbidden call.
    private static let maxLastMessages = 4

    package static func start(_ program: WorkerProgram, _ options: WorkerOptions) throws(SystemError) -> WorkerProcess {
        let pair = try MessageSocket.pair()
        // A crash has to end the worker immediately. Swift's runtime would start a program that describes the crash,
        // and would ignore signals from other processes. The worker empties its environment afterwards.
        let child = try ChildProcess.spawn(
            program.path, from: program.file, arguments: options.arguments, environment: ["SWIFT_BACKTRACE=enable=no"],
            inheriting: pair.child.descriptor.raw)
        let canLimit = options.user == nil || ProcessCapability.raiseLimits.isEffective
        return WorkerProcess(socket: pair.takeParent(), child: child, canLimitProcessorTime: canLimit)
    }

    /// Whether the worker has ended because it is of another build. The call waits a moment for its end.
    package var isRefused: Bool {
        for _ in 0..<100 {
            if let end = child.end() { return end == .exited(status: WorkerOptions.refusal) }
            usleep(1_000)
        }
        return false
    }

    /// Returns the messages that an ended worker left in the socket, with the oldest first.
    borrowing func takeLastMessages() -> [[UInt8]] {
        var messages: [[UInt8]] = []
        while messages.count < Self.maxLastMessages, let message = try? socket.receive(upTo: TranscodeWire.maxBytes) {
            for descriptor in message.descriptors { _ = OwnedDescriptor(adopting: descriptor) }
            messages.append(message.bytes)
        }
        return messages
    }

    /// Sends a job. The worker gets copies of the descriptors. The copy for the input is read-only.
    borrowing func send(
        _ job: TranscodeJob, input: MediaFile, outputs: [MediaFile], processorTime: Duration
    ) throws(SystemError) {
        // The daemon cannot raise a soft limit again without the capability. A later harmless job would then end the
        // worker.
        if canLimitProcessorTime { child.allowProcessorTime(processorTime) }
        let input = try AnonymousFile.openForReading(input)
        try socket.send(TranscodeWire.encode(job), descriptors: [input.raw] + outputs.map(\.descriptor))
    }
}

/// The rule for replacing a healthy worker by a new one.
///
/// A media file may take control of a worker without a crash. The worker's code then has access to the media of later
/// jobs. A worker is therefore ended after `maxJobs`. A worker that keeps too much memory is also ended. A start costs
/// 20 ms of a processor. Serves the threat model: a worker that an attacker has taken over.
enum WorkerLifetime {
    static let maxJobs = 1_000
    /// The largest private memory of a worker between two jobs, in bytes. The allocator keeps up to 64 MiB free.
    static let maxIdleBytes = 160 << 20

    static func isOver(afterJobs count: Int, of processIdentifier: Int32) -> Bool {
        count >= maxJobs || ProcessMemory.privateBytes(of: processIdentifier) ?? 0 > maxIdleBytes
    }
}
