import Base
import Glibc
import LinuxIO
import MediaTranscoder
import Sandbox
import TranscodeProtocol

/// The loop that takes one job after another from the socket until the socket closes.
struct WorkerLoop: ~Copyable {
    /// The time for which the next job may reuse the memory of a job. Afterwards, the free memory is released.
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

    /// Waits for the next job; `nil` if the socket is closed. After `patience`, the free memory is released.
    private borrowing func next() -> ReceivedMessage? {
        do throws(SystemError) {
            return try socket.receive(upTo: TranscodeWire.maxBytes, within: Self.patience)
        } catch {
            guard error.errno == ETIMEDOUT else { return nil }
            MediaTranscoder.rest()
            return try? socket.receive(upTo: TranscodeWire.maxBytes)
        }
    }
}

/// The report for `--describe`: one line of JSON.
enum WorkerReport {
    /// Writes the line. On a socket, it waits until the daemon closes it and has inspected this process.
    static func send(_ sandbox: SandboxReport, to descriptor: Int32) throws(SystemError) {
        let line = JSONWriter.text(of: WorkerDescription.json(sandbox: sandbox.json)) + "\n"
        try FileSystem.write(Array(line.utf8)[...], to: descriptor)
        guard descriptor == WorkerLoop.descriptor else { return }
        _ = try MessageSocket(OwnedDescriptor(adopting: descriptor)).receive(upTo: 1)
    }
}
