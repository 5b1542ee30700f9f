import JSON
import LinuxIO
import MediaTranscoder
import Sandbox

/// The report for `--describe`: one line of JSON.
enum WorkerReport {
    /// Writes the line. If the daemon has passed a socket, the method waits until the daemon closes the socket, so that
    /// the daemon can inspect this process.
    static func send(_ sandbox: SandboxReport, to descriptor: Int32) throws(SystemError) {
        let line = JSONWriter.text(of: WorkerDescription.json(sandbox: sandbox.json)) + "\n"
        try FileSystem.write(Array(line.utf8)[...], to: descriptor)
        guard descriptor == WorkerLoop.descriptor else { return }
        _ = try MessageSocket(OwnedDescriptor(adopting: descriptor)).receive(upTo: 1)
    }
}
