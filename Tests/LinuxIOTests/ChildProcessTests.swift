import Glibc
import LinuxIO
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ChildProcessTests {
    /// Starts a child that waits until it is killed.
    private func idleChild() throws -> ChildProcess {
        let pair = try MessageSocket.pair()
        let command = ParentBoundCommand("/usr/bin/tail", ["-f", "/dev/null"])
        return try .spawn(command.path, arguments: command.arguments, inheriting: pair.child.descriptor.raw)
    }

    private func shell(_ script: String, inheriting descriptor: Int32) throws -> ChildProcess {
        try .spawn("/bin/sh", arguments: ["-c", script], inheriting: descriptor)
    }

    private func read(_ name: String, of pid: Int32) throws -> String {
        String(decoding: try FileSystem.contents(of: "/proc/\(pid)/\(name)"), as: UTF8.self)
    }

    /// Returns the lines of a `/proc` file, with single spaces between the words.
    private func lines(_ name: String, of pid: Int32) throws -> [String] {
        try read(name, of: pid).split(separator: "\n").map { line in
            line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
    }

    @Test func `the exit descriptor becomes readable when the child ends by itself`() async throws {
        try await withEventLoop { loop in
            let pair = try MessageSocket.pair()
            let child = try shell("printf bye >&3", inheriting: pair.child.descriptor.raw)
            let ours = pair.takeParent()
            await loop.wait(for: child.exitDescriptor.raw)
            #expect(try ours.receive(upTo: 100)?.bytes == Array("bye".utf8))
            #expect(try ours.receive(upTo: 100) == nil)
        }
    }

    @Test func `a running child is not reported as ended, and a killed child is reported as ended`() async throws {
        try await withEventLoop { loop in
            let child = try idleChild()
            var ready = pollfd(fd: child.exitDescriptor.raw, events: Int16(POLLIN), revents: 0)
            #expect(poll(&ready, 1, 0) == 0)
            child.kill()
            await loop.wait(for: child.exitDescriptor.raw)
            child.kill()
            #expect(try lines("status", of: child.pid).contains("State: Z (zombie)"), "a zombie until its release")
        }
    }

    @Test(arguments: [false, true])
    func `a child is killed and reaped when its owner releases it`(_ endsFirst: Bool) async throws {
        try await withEventLoop { loop in
            let pid = try await {
                let child = try idleChild()
                if endsFirst {
                    kill(child.pid, SIGTERM)
                    await loop.wait(for: child.exitDescriptor.raw)
                }
                #expect(kill(child.pid, 0) == 0)
                return child.pid
            }()
            #expect(kill(pid, 0) == -1 && errno == ESRCH)
        }
    }

    @Test func `a child has only the standard descriptors and the inherited descriptor`() throws {
        let secret = open("/proc/self/status", O_RDONLY)  // The descriptor is not close-on-exec.
        defer { close(secret) }
        let output = try TestPipe()
        let child = try shell("exec /bin/ls -l /proc/self/fd >&3", inheriting: output.writer.raw)
        let list = try output.takeToEnd()
        var targets: [String: String] = [:]
        for line in list.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard let arrow = words.firstIndex(of: "->") else { continue }
            targets[words[arrow - 1]] = words[arrow + 1]
        }
        // Descriptor 4 is the directory that `ls` reads, and descriptor 1 its output.
        #expect(targets.keys.sorted() == ["0", "1", "2", "3", "4"])
        #expect(targets["0"] == "/dev/null")
        #expect(targets["1"] == targets["3"] && targets["3"]?.hasPrefix("pipe:") == true)
        #expect(targets["4"] == "/proc/\(child.pid)/fd")
    }

    @Test func `a child does not share the parent's standard streams`() throws {
        let child = try idleChild()
        for stream in 0...2 {
            #expect(FileSystem.linkTarget(of: "/proc/\(child.pid)/fd/\(stream)") == "/dev/null")
        }
    }

    @Test(arguments: [[], ["LANG=C"], ["LANG=C", "EMPTY="]])
    func `a child has the requested environment, without the parent's variables`(_ environment: [String]) async throws {
        try await withEventLoop { loop in
            let pair = try MessageSocket.pair()
            let script = "printf up >&3; read -r line <&3"
            let child = try ChildProcess.spawn(
                "/bin/sh", arguments: ["-c", script], environment: environment,
                inheriting: pair.child.descriptor.raw)
            let ours = pair.takeParent()
            await loop.wait(for: ours.descriptor.raw)
            #expect(try read("environ", of: child.pid) == environment.map { $0 + "\0" }.joined())
            #expect(try read("cmdline", of: child.pid) == "/bin/sh\0-c\0\(script)\0")
        }
    }

    @Test func `a child has default signal handling and leads its process group`() async throws {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_IGN)
            var blocked = sigset_t()
            sigfillset(&blocked)
            pthread_sigmask(SIG_SETMASK, &blocked, nil)
            let pair = try MessageSocket.pair()
            let command = ParentBoundCommand("/usr/bin/tail", ["-f", "/dev/null"])
            let child = try ChildProcess.spawn(
                command.path, arguments: command.arguments, inheriting: pair.child.descriptor.raw)
            let status = String(decoding: try FileSystem.contents(of: "/proc/\(child.pid)/status"), as: UTF8.self)
            #expect(status.contains("SigBlk:\t0000000000000000"))
            // The C library uses the signals 32 and 33, so the mask below excludes these signals.
            let ignored = status.split(separator: "\n").first { $0.hasPrefix("SigIgn:") }.flatMap {
                UInt64($0.dropFirst("SigIgn:\t".count), radix: 16)
            }
            #expect(ignored.map { $0 & 0x7FFF_FFFF } == 0)
            #expect(getpgid(child.pid) == child.pid)
        }
    }

    @Test(arguments: [("missing", ENOENT), ("data", EACCES), ("text", ENOEXEC), ("", EACCES)])
    func `the error of a file that cannot be run names the file`(_ name: String, _ errno: Int32) throws {
        let directory = try TemporaryDirectory()
        for file in ["data", "text"] { try FileSystem.replace("\(directory.path)/\(file)", with: [1]) }
        try #require(chmod("\(directory.path)/text", 0o755) == 0)
        let pair = try MessageSocket.pair()
        // The result is not copyable, so `#expect(throws:)` does not accept it.
        do throws(SystemError) {
            _ = try ChildProcess.spawn("\(directory.path)/\(name)", inheriting: pair.child.descriptor.raw)
            Issue.record("\(name) runs")
        } catch {
            #expect(error == SystemError("posix_spawn \(directory.path)/\(name)", errno: errno))
        }
    }

    @Test func `the processor time of a child can be limited several times`() throws {
        let child = try idleChild()
        for seconds in [7, 3, 9] {
            // The limit is in whole seconds, rounded up from the time that is already used.
            child.allowProcessorTime(.milliseconds(seconds * 1_000 - 500))
            #expect(try lines("limits", of: child.pid).contains("Max cpu time \(seconds) unlimited seconds"))
        }
    }

    @Test func `a child that exceeds its processor time is ended`() async throws {
        try await withEventLoop { loop in
            let pair = try MessageSocket.pair()
            let child = try shell("while :; do :; done", inheriting: pair.child.descriptor.raw)
            child.allowProcessorTime(.milliseconds(500))
            await loop.wait(for: child.exitDescriptor.raw)
            var info = siginfo_t()
            try #require(waitid(P_PID, id_t(child.pid), &info, WEXITED | WNOWAIT) == 0)
            #expect(info.si_code == Int32(CLD_KILLED))
            #expect(info._sifields._sigchld.si_status == SIGXCPU)
        }
    }

    @Test(arguments: [0, 1, 3, 100])
    func `the inherited descriptor may have any number, even the number of a standard descriptor`(_ number: Int32)
        async throws
    {
        await #expect(processExitsWith: .success) { [number] in
            // Dispatch ends the process if its epoll descriptor is replaced even for a moment, so the test skips that
            // number.
            guard FileSystem.linkTarget(of: "/proc/self/fd/\(number)")?.contains("eventpoll") != true else { return }
            let pair = try MessageSocket.pair()
            // The reports of the test library may use this descriptor, so the test restores the descriptor.
            let saved = dup(number)
            try #require(dup2(pair.child.descriptor.raw, number) == number)
            let child = try ChildProcess.spawn(
                "/bin/sh", arguments: ["-c", "printf here >&3"], inheriting: number)
            close(number)
            if saved >= 0 { dup2(saved, number) }
            let ours = pair.takeParent()
            var ready = pollfd(fd: ours.descriptor.raw, events: Int16(POLLIN), revents: 0)
            #expect(poll(&ready, 1, 10_000) == 1)
            #expect(try ours.receive(upTo: 100)?.bytes == Array("here".utf8))
            #expect(child.pid > 0)
        }
    }
}
