package import LinuxIO
import NotificationModel
package import Sandbox
import TranscodeProtocol

/// One worker process and our end of its socket. Letting go of it kills and reaps the process.
package struct WorkerProcess: ~Copyable {
    package let socket: MessageSocket
    package let child: ChildProcess
    /// Whether the daemon may limit the processor time of each job. For a worker of another user, that takes
    /// CAP_SYS_RESOURCE.
    package let canLimitProcessorTime: Bool

    /// A worker sends at most two replies to a job, and one report of a forbidden call.
    private static let mostLastMessages = 4

    package static func start(_ executable: String, _ options: WorkerOptions) throws(SystemError) -> WorkerProcess {
        let pair = try MessageSocket.pair()
        // A crash ends the worker at once: Swift's runtime would start a program that describes it, and would pass over
        // signals that others send. The worker then empties its environment.
        let child = try ChildProcess.spawn(
            executable, arguments: options.arguments, environment: ["SWIFT_BACKTRACE=enable=no"],
            inheriting: pair.child.descriptor.raw)
        let canLimit = options.user == nil || ProcessCapability.raiseLimits.isEffective
        return WorkerProcess(pair.takeParent(), child, canLimitProcessorTime: canLimit)
    }

    private init(
        _ socket: consuming MessageSocket, _ child: consuming ChildProcess, canLimitProcessorTime: Bool
    ) {
        self.canLimitProcessorTime = canLimitProcessorTime
        self.socket = socket
        self.child = child
    }

    /// Takes the messages that a worker that has ended left behind, oldest first.
    borrowing func takeLastMessages() -> [[UInt8]] {
        var messages: [[UInt8]] = []
        while messages.count < Self.mostLastMessages,
            let message = try? socket.receive(upTo: TranscodeWire.mostBytes)
        {
            for descriptor in message.descriptors { _ = OwnedDescriptor(adopting: descriptor) }
            messages.append(message.bytes)
        }
        return messages
    }

    /// Hands a job over; the worker gets its own copies of the descriptors, of the input one that cannot write.
    borrowing func send(
        _ job: TranscodeJob, input: MediaFile, outputs: [MediaFile], processorTime: Duration
    ) throws(SystemError) {
        // A soft limit that cannot be raised for the next job would end the worker at a good file.
        if canLimitProcessorTime { child.allowProcessorTime(processorTime) }
        let input = try AnonymousFile.openForReading(input)
        try socket.send(TranscodeWire.encode(job), descriptors: [input.raw] + outputs.map(\.descriptor))
    }
}
