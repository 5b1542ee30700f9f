import Glibc
import LinuxIO
import TestSupport
import Testing
import TranscodeProtocol

/// An executable that misbehaves at its first start, and is the real worker at every later start.
///
/// The executable is a shell script. `cat` and `printf` to descriptor 3 send one message each, and `head` receives one.
struct FakeWorker {
    /// Receives the job and closes its descriptors.
    static let takeJob = "/usr/bin/head -c 1 <&3 >/dev/null"
    /// Sends the message that the test prepared.
    static let reply = #"/bin/cat "$0.reply" >&3"#
    /// Runs until it is killed, and reads no messages.
    static let stay =
        "exec " + ParentBoundCommand("/usr/bin/tail", ["-f", "/dev/null"], output: "/dev/null").shellWords

    let directory: TemporaryDirectory
    var path: String { directory.path + "/worker" }

    init(_ lines: [String], reply: [UInt8] = []) throws {
        directory = try TemporaryDirectory()
        let path = directory.path + "/worker"
        try FileSystem.replace(path + ".reply", with: reply)
        let script = """
            #!/bin/sh
            if (set -C; : > "$0.used") 2>/dev/null; then
            \(lines.joined(separator: "\n"))
            exit 0
            fi
            exec \(RealWorker.path) "$@"
            """
        try FileSystem.replace(path, with: Array(script.utf8))
        try #require(chmod(path, 0o755) == 0)
    }

    /// Creates a worker that misbehaves at each start.
    init(everyTime lines: [String]) throws {
        try self.init(lines)
        let script = "#!/bin/sh\n" + lines.joined(separator: "\n")
        try FileSystem.replace(path, with: Array(script.utf8))
        try #require(chmod(path, 0o755) == 0)
    }

    /// Makes every later start the real worker, even if the first start has not begun.
    func becomeReal() throws { try FileSystem.replace(path + ".used", with: []) }

    /// Creates a worker that answers the first job with a message and then stays alive.
    init(answering reply: [UInt8]) throws { try self.init([Self.takeJob, Self.reply, Self.stay], reply: reply) }

    init(answering reply: TranscodeReply) throws { try self.init(answering: TranscodeWire.encode(reply)) }
}
