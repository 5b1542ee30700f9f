import Foundation
import Glibc
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import TranscodePool

/// The tests of a worker's start and lifetime. A worker inherits only the socket from the daemon.
@Suite(.timeLimit(.minutes(1)))
struct WorkerStartTests {
    /// The script of the worker stores its own environment and descriptors, and then starts the real worker.
    @Test func `a worker starts with one environment variable, three null devices and a socket`() async throws {
        let worker = try FakeWorker([
            #"/bin/cat /proc/$$/environ > "$0.environ""#,
            #"for number in /proc/$$/fd/*; do /usr/bin/readlink "$number"; done > "$0.descriptors""#,
            "exec \(RealWorker.path)",
        ])
        setenv("APPGROUPD_WORKER_START_TEST", "secret", 1)
        let secret = open("/proc/self/status", O_RDONLY)  // It is inherited: O_CLOEXEC is not set.
        defer { close(secret) }
        try await withPool(of: worker.path) { pool in
            let made = try await PoolWork("orientation-1.jpg").run(in: pool).get()
            #expect(made.renditions.count == 2)
        }
        let environment = try String(contentsOfFile: worker.path + ".environ", encoding: .utf8)
        #expect(environment.split(separator: "\0") == ["SWIFT_BACKTRACE=enable=no"])
        let descriptors = try String(contentsOfFile: worker.path + ".descriptors", encoding: .utf8)
        // The shell also has the script and its output file open. The paths of both files contain "/worker".
        let own = descriptors.split(separator: "\n").filter { !$0.contains("/worker") }
        #expect(own.filter { $0.hasPrefix("socket:") }.count == 1)
        #expect(own.filter { !$0.hasPrefix("socket:") } == ["/dev/null", "/dev/null", "/dev/null"])
    }

    @Test(.enabled(if: SystemUser.isRoot, "others cannot look into a worker"))
    func `a worker has closed the descriptors of its jobs`() async throws {
        try await withPool { pool in
            for _ in 1...3 { _ = try await PoolWork("orientation-1.jpg").run(in: pool).get() }
            let directory = "/proc/\(try await pool.onlyWorker)/fd"
            // The worker sends the reply before it closes the descriptors of the job.
            try await wait(for: "four descriptors") {
                try FileSystem.names(in: directory).sorted() == ["0", "1", "2", "3"]
            }
            for stream in 0...2 { #expect(FileSystem.linkTarget(of: "\(directory)/\(stream)") == "/dev/null") }
            #expect(FileSystem.linkTarget(of: directory + "/3")?.hasPrefix("socket:") == true)
        }
    }

    @Test func `a worker ends after its maximum number of jobs, whatever its memory`() {
        #expect(!WorkerLifetime.isOver(afterJobs: WorkerLifetime.maxJobs - 1, of: .max))
        #expect(WorkerLifetime.isOver(afterJobs: WorkerLifetime.maxJobs, of: .max))
    }

    @Test func `a worker that keeps too much memory ends after its first job`() async {
        await #expect(processExitsWith: .success) {
            let count = WorkerLifetime.maxIdleBytes + 1 << 20
            let flags = MAP_PRIVATE | MAP_ANONYMOUS
            let pages = try #require(mmap(nil, count, PROT_READ | PROT_WRITE, flags, -1, 0))
            try #require(pages != MAP_FAILED)
            memset(pages, 1, count)
            #expect(WorkerLifetime.isOver(afterJobs: 1, of: getpid()))
        }
    }
}
