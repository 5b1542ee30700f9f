import Foundation
import Glibc
import LinuxIO
import TestSupport
import Testing

/// Tests that a program started by a test ends with the test process.
@Suite(.timeLimit(.minutes(1))) struct ParentBoundCommandTests {
    /// Runs a program to its end, and returns its output.
    private func run(_ command: ParentBoundCommand) throws -> (pid: Int32, status: Int32, output: String) {
        let process = command.process()
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.processIdentifier, process.terminationStatus, output)
    }

    @Test func `a bound program has its own identifier, output and exit status, and no additional child`() throws {
        let script = #"echo $$; cat /proc/$$/task/$$/children; exit 7"#
        let run = try run(ParentBoundCommand("/bin/sh", ["-c", script]))
        let lines = run.output.split(separator: "\n")
        #expect(lines.first == "\(run.pid)")
        // The only child is the program that reads the list.
        #expect(lines.dropFirst().joined().split(separator: " ").count == 1)
        #expect(run.status == 7)
    }

    @Test func `the output goes to a file if a file is named`() throws {
        let directory = try TemporaryDirectory()
        let run = try run(
            ParentBoundCommand("/bin/sh", ["-c", "echo out; echo err >&2"], output: "\(directory.path)/output"))
        #expect(run.output.isEmpty)
        #expect(
            String(decoding: try FileSystem.contents(of: "\(directory.path)/output"), as: UTF8.self) == "out\nerr\n")
    }

    @Test func `a program that cannot be run is named in the output`() throws {
        let run = try run(ParentBoundCommand("/nowhere/program"))
        #expect(run.status == 125)
        #expect(run.output == "end-with-parent: /nowhere/program: No such file or directory\n")
    }

    /// Kills a test process. The exit test waits for the end of the output, which the program shares.
    @Test func `a program and its process group end when the test process is killed`() async throws {
        let result = try await #require(
            processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]
        ) {
            let script = "/usr/bin/tail -f /dev/null & echo pids $$ $!; wait"
            let program = ParentBoundCommand("/bin/sh", ["-c", script]).process()
            let pipe = Pipe()
            program.standardOutput = pipe
            try program.run()
            // The script has started its child before it writes the line.
            FileHandle.standardOutput.write(pipe.fileHandleForReading.availableData)
            // `tail` shares the output of the test process.
            let sharing = ParentBoundCommand("/usr/bin/tail", ["-f", "/dev/null"]).process()
            try sharing.run()
            FileHandle.standardOutput.write(Data("pids \(sharing.processIdentifier)\n".utf8))
            kill(getpid(), SIGKILL)
        }
        let pids = String(decoding: result.standardOutputContent, as: UTF8.self).split(separator: "\n")
            .filter { $0.hasPrefix("pids ") }.flatMap { $0.split(separator: " ").compactMap { Int32($0) } }
        #expect(pids.count == 3)
        for pid in pids {
            try await wait(for: "the end of process \(pid)") { ProcessStatus.hasEnded(pid) }
        }
    }
}
