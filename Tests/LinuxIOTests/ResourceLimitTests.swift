import Glibc
import LinuxIO
import NotificationModel
import TestSupport
import Testing

/// Tests of the resource limits. Each test limits a separate process.
@Suite(.disabled(if: isUnderThreadSanitizer, "the sanitizer's own memory does not fit into the limits"))
struct ResourceLimitTests {
    @Test func `a mapping or heap block beyond the data limit is refused`() async {
        await #expect(processExitsWith: .success) {
            try ResourceLimits(dataBytes: 256 << 20, fileBytes: 1 << 20, openFiles: 64).bindCurrentProcess()
            let flags = MAP_PRIVATE | MAP_ANONYMOUS
            let small = mmap(nil, 1 << 20, PROT_READ | PROT_WRITE, flags, -1, 0)
            #expect(small != MAP_FAILED)
            let large = mmap(nil, 257 << 20, PROT_READ | PROT_WRITE, flags, -1, 0)
            #expect(large == MAP_FAILED && errno == ENOMEM)
            #expect(malloc(257 << 20) == nil)
        }
    }

    @Test func `a mapping beyond the address limit is refused, even if it is read-only`() async {
        await #expect(processExitsWith: .success) {
            let used = UInt64(try ProcessStatus.number("VmSize")) << 10
            try ResourceLimits(
                dataBytes: 1 << 30, addressBytes: used + 64 << 20, fileBytes: 1 << 20, openFiles: 64
            ).bindCurrentProcess()
            let flags = MAP_PRIVATE | MAP_ANONYMOUS
            #expect(mmap(nil, 32 << 20, PROT_READ, flags, -1, 0) != MAP_FAILED)
            #expect(mmap(nil, 64 << 20, PROT_READ, flags, -1, 0) == MAP_FAILED && errno == ENOMEM)
        }
    }

    @Test func `a lower limit of a supervisor is kept`() async {
        await #expect(processExitsWith: .success) {
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            var lower = rlimit(rlim_cur: 40, rlim_max: 50)
            try #require(setrlimit(resource, &lower) == 0)
            try ResourceLimits(dataBytes: 1 << 30, fileBytes: 1 << 20, openFiles: 64).bindCurrentProcess()
            var now = rlimit()
            try #require(getrlimit(resource, &now) == 0)
            #expect(now.rlim_cur == 50 && now.rlim_max == 50)
        }
    }

    @Test func `a write beyond the file size limit ends the process`() async {
        await #expect(processExitsWith: .signal(SIGXFSZ)) {
            // The parent of the tests may ignore the signal, and the threads of the tests block it.
            signal(SIGXFSZ, SIG_DFL)
            var none = sigset_t()
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, nil)
            try ResourceLimits(dataBytes: 1 << 30, fileBytes: 4_096, openFiles: 64).bindCurrentProcess()
            let file = try AnonymousFile.create(in: "/tmp")
            try FileSystem.write([UInt8](repeating: 1, count: 4_096)[...], to: file.descriptor)
            try FileSystem.write([1], to: file.descriptor)
        }
    }

    @Test func `a process cannot open more files than its limit`() async {
        await #expect(processExitsWith: .success) {
            try ResourceLimits(dataBytes: 1 << 30, fileBytes: 1 << 20, openFiles: 32).bindCurrentProcess()
            var last: Int32 = 0
            for _ in 0..<32 where last >= 0 { last = open("/dev/null", O_RDONLY) }
            #expect(last == -1 && errno == EMFILE)
        }
    }

    @Test func `a limited process has no new privileges, no core dump and fixed limits`() async {
        await #expect(processExitsWith: .success) {
            try ResourceLimits(dataBytes: 1 << 30, fileBytes: 1 << 20, openFiles: 64).bindCurrentProcess()
            // Privileges belong to a thread, and a worker has one thread.
            func lines(_ name: String) throws -> [String] {
                String(decoding: try FileSystem.contents(of: "/proc/thread-self/\(name)"), as: UTF8.self)
                    .split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            }
            #expect(try lines("status").contains("NoNewPrivs: 1"))
            let limits = try lines("limits")
            let wanted = [
                "Max core file size 0 0 bytes", "Max processes 0 0 processes", "Max open files 64 64 files",
                "Max file size 1048576 1048576 bytes", "Max data size 1073741824 1073741824 bytes",
            ]
            #expect(wanted.filter { !limits.contains($0) }.isEmpty)
        }
    }

    @Test func `the limit of open files is raised to the system's limit`() async {
        await #expect(processExitsWith: .success) {
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            var low = rlimit(rlim_cur: 100, rlim_max: 200)
            try #require(setrlimit(resource, &low) == 0)
            try ResourceLimits.raiseOpenFiles()
            var now = rlimit()
            try #require(getrlimit(resource, &now) == 0)
            #expect(now.rlim_cur == 200 && now.rlim_max == 200)
        }
    }

    /// Enlarging the table later would block each thread that opens a descriptor for about 10 ms.
    @Test func `the descriptor table is enlarged, and no descriptor remains open afterwards`() async {
        await #expect(processExitsWith: .success) {
            func open() throws -> Int { try FileSystem.names(in: "/proc/self/fd").count }
            let before = try open()
            try ResourceLimits.raiseOpenFiles()
            // The call is repeated, because other threads of the process may open a few descriptors meanwhile and keep
            // them.
            for _ in 0..<100 { try ResourceLimits.widenDescriptorTable() }
            #expect(try open() < before + 100)
            let slots = try ProcessStatus.number("FDSize")
            #expect(slots >= min(ResourceLimits.tableSlots, ResourceLimits.openFiles))
        }
    }
}

#if THREAD_SANITIZER
let isUnderThreadSanitizer = true
#else
let isUnderThreadSanitizer = false
#endif
