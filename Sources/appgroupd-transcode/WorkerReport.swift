import JSON
import LinuxIO
import MediaTranscoder
import Sandbox

/// The answer to `--describe`: one line of JSON.
enum WorkerReport {
    /// Writes the line. A daemon may look at this process from outside until it closes its end of the socket.
    static func send(_ sandbox: SandboxReport, to descriptor: Int32) throws(SystemError) {
        let line = JSONWriter.text(of: WorkerDescription.json(sandbox: sandbox.json)) + "\n"
        try FileSystem.write(Array(line.utf8)[...], to: descriptor)
        guard descriptor == WorkerLoop.descriptor else { return }
        _ = try MessageSocket(OwnedDescriptor(adopting: descriptor)).receive(upTo: 1)
    }
}
