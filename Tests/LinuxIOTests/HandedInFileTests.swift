import Glibc
import LinuxIO
import TestSupport
import Testing

/// Tests of files that other programs hand in.
@Suite(.timeLimit(.minutes(1)))
struct HandedInFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func path(_ name: String) -> String { "\(directory.path)/\(name)" }

    // MARK: Tests of the contents

    @Test(arguments: [0, 1, 65_536, 100_000])
    func `a regular file is read if it is within the limit`(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 251) }
        try FileSystem.write(bytes, toFile: path("a"))
        #expect(try FileSystem.contents(ofRegularFile: path("a"), atMost: count) == bytes)
        guard count > 0 else { return }
        #expect(throws: RegularFileError.tooLarge(limit: count - 1)) {
            _ = try FileSystem.contents(ofRegularFile: path("a"), atMost: count - 1)
        }
    }

    @Test func `a file that is longer than its stated size is refused`() throws {
        // Files of this file system have a stated size of zero.
        #expect(throws: RegularFileError.tooLarge(limit: 3)) {
            _ = try FileSystem.contents(ofRegularFile: "/proc/self/status", atMost: 3)
        }
    }

    @Test(arguments: [
        ("link", RegularFileError.notRegular(.symbolicLink)), ("fifo", .notRegular(.other)),
        ("folder", .notRegular(.directory)), ("socket", .notRegular(.other)), ("missing", .missing),
        ("file/inner", .failed(SystemError("open", errno: ENOTDIR))),
    ])
    func `a path that is no regular file is refused at once`(_ name: String, _ expected: RegularFileError) throws {
        try FileSystem.write([1], toFile: path("file"))
        symlink(path("file"), path("link"))
        mkfifo(path("fifo"), 0o600)
        try FileSystem.makeDirectory(path("folder"))
        let listener = try DatagramListener(path: path("socket"))
        let error = #expect(throws: RegularFileError.self) {
            _ = try FileSystem.contents(ofRegularFile: path(name), atMost: 10)
        }
        if case .failed(let error) = error { #expect(error.errno == ENOTDIR) } else { #expect(error == expected) }
        #expect(FileSystem.writerStatus(path(name)) == .unknown)
        withExtendedLifetime(listener) {}
    }

    @Test func `a device file is refused`() {
        #expect(throws: RegularFileError.notRegular(.other)) {
            _ = try FileSystem.contents(ofRegularFile: "/dev/zero", atMost: 10)
        }
    }

    @Test(.enabled(if: getuid() != 0, "root may read every file"))
    func `a file without read permission causes the error EACCES`() throws {
        try FileSystem.write([1], toFile: path("a"))
        chmod(path("a"), 0)
        let error = #expect(throws: RegularFileError.self) {
            _ = try FileSystem.contents(ofRegularFile: path("a"), atMost: 10)
        }
        guard case .failed(let failure)? = error else {
            Issue.record("the file was read")
            return
        }
        #expect(failure.errno == EACCES)
    }

    // MARK: Tests of the writer's status

    @Test func `a file without an open writer is reported as complete`() throws {
        let file = path("a")
        let writer = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        #expect(FileSystem.writerStatus(file) == .open)
        // The other name leads to the same file.
        try #require(link(file, path("b")) == 0)
        #expect(FileSystem.writerStatus(path("b")) == .open)
        let second = open(file, O_RDWR | O_CLOEXEC)
        close(writer)
        #expect(FileSystem.writerStatus(file) == .open)
        close(second)
        let reader = open(file, O_RDONLY | O_CLOEXEC)
        #expect(FileSystem.writerStatus(file) == .none)
        close(reader)
    }

    @Test func `a writer that opens a file during the check is not refused, and the process survives`() async throws {
        // Without a handler, the kernel's signal to the holder of a lease ends the process.
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let file = directory.path + "/a"
            try FileSystem.write([1], toFile: file)
            await withTaskGroup { group in
                group.addTask { for _ in 0..<20_000 { _ = FileSystem.writerStatus(file) } }
                group.addTask {
                    for _ in 0..<20_000 {
                        let writer = open(file, O_WRONLY | O_CLOEXEC)
                        #expect(writer >= 0)
                        close(writer)
                    }
                }
            }
        }
    }

    @Test func `the writer status of a file without lease support is unknown`() {
        // The file system of `/proc` does not support leases.
        #expect(FileSystem.writerStatus("/proc/self/status") != .open)
        #expect(FileSystem.writerStatus(path("missing")) == .unknown)
    }
}
