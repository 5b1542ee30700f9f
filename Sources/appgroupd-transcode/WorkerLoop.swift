import Glibc
import LinuxIO
import MediaTranscoder
import TranscodeProtocol

/// The loop that takes one job after another from the socket until the socket closes.
struct WorkerLoop: ~Copyable {
    /// The time after a job in which the next job may reuse the memory of this job. When this time has passed, the free
    /// memory is released.
    private static let patience = Duration.milliseconds(500)

    /// The number of the socket that the daemon passes on.
    static let descriptor: Int32 = 3
    static var hasSocket: Bool { FileSystem.isSocket(descriptor) }

    private let socket = MessageSocket(OwnedDescriptor(adopting: descriptor))

    consuming func run() {
        // A message that is not a job does not come from this version of the daemon, so the worker ends.
        while let message = next() {
            defer { for descriptor in message.descriptors { close(descriptor) } }
            guard let job = try? TranscodeWire.decodeJob(message.bytes),
                message.descriptors.count == job.specs.count + 1
            else { return }
            let reply = MediaTranscoder.run(
                job, input: message.descriptors[0], outputs: Array(message.descriptors.dropFirst())
            ) { _ = Self.send($0) }
            guard Self.send(reply) else { return }
        }
    }

    /// Sends a reply, and returns whether it was sent. One write is one message.
    ///
    /// A sandboxed worker has no sendmsg(2), because that call could pass descriptors on.
    private static func send(_ reply: TranscodeReply) -> Bool {
        (try? FileSystem.write(TranscodeWire.encode(reply)[...], to: descriptor)) != nil
    }

    /// Waits for the next job; `nil` if the socket is closed. If no job arrives within `patience`, the free memory is
    /// released.
    private borrowing func next() -> ReceivedMessage? {
        do throws(SystemError) {
            return try socket.receive(upTo: TranscodeWire.mostBytes, within: Self.patience)
        } catch {
            guard error.errno == ETIMEDOUT else { return nil }
            MediaTranscoder.rest()
            return try? socket.receive(upTo: TranscodeWire.mostBytes)
        }
    }
}
