import Glibc
import LinuxIO
import MediaTranscoder
import TranscodeProtocol

/// Takes one job after the other from the socket until it closes.
struct WorkerLoop: ~Copyable {
    /// How long after a job another one may still need its memory.
    private static let patience = Duration.milliseconds(500)

    /// The number of the socket that the daemon passes on.
    static let descriptor: Int32 = 3
    static var hasSocket: Bool { FileSystem.isSocket(descriptor) }

    private let socket = MessageSocket(OwnedDescriptor(adopting: descriptor))

    consuming func run() {
        // A message that is no job means that the other end is not ours: the worker ends.
        while let message = next() {
            defer { for descriptor in message.descriptors { close(descriptor) } }
            guard let job = try? TranscodeWire.decodeJob(message.bytes),
                message.descriptors.count == job.orders.count + 1
            else { return }
            let reply = MediaTranscoder.run(
                job, input: message.descriptors[0], outputs: Array(message.descriptors.dropFirst())
            ) { _ = Self.send($0) }
            guard Self.send(reply) else { return }
        }
    }

    /// Returns whether the other end has taken the reply. One write is one message. A sandboxed worker has no sendmsg(2),
    /// which could pass descriptors on.
    private static func send(_ reply: TranscodeReply) -> Bool {
        (try? FileSystem.write(TranscodeWire.encode(reply)[...], to: descriptor)) != nil
    }

    /// Waits for the next job; after a while without memory that nobody needs.
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
