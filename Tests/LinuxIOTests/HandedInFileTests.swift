import Glibc
import LinuxIO
import TestSupport
import Testing

/// Files that others hand in.
@Suite(.timeLimit(.minutes(1)))
struct HandedInFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func path(_ name: String) -> String { "\(directory.path)/\(name)" }

    // MARK: Contents

    @Test(arguments: [0, 1, 65_536, 100_000])
    func `a regular file is read up to the limit`(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 251) }
        try FileSystem.write(bytes, toFile: path("a"))
        #expect(try FileSystem.contents(ofRegularFile: path("a"), atMost: count) == bytes)
        guard count > 0 else { return }
        #expect(throws: RegularFileError.tooLarge(limit: count - 1)) {
            _ = try FileSystem.contents(ofRegularFile: path("a"), atMost: count - 1)
        }
    }

    @Test func `a file that is longer than its size is cut off too`() throws {
        // Files of this file system say that they are empty.
        #expect(throws: RegularFileError.tooLarge(limit: 3)) {
            _ = try FileSystem.contents(ofRegularFile: "/proc/self/status", atMost: 3)
        }
    }

    @Test(arguments: [
        ("link", RegularFileError.notRegular(.symbolicLink)), ("fifo", .notRegular(.other)),
        ("folder", .notRegular(.directory)), ("socket", .notRegular(.other)), ("missing", .missing),
        ("file/inner", .failed(SystemError("open", errno: ENOTDIR))),
    ])
    func `what is no regular file is refused at once`(_ name: String, _ expected: RegularFileError) throws {
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

    @Test func `a device is refused`() {
        #expect(throws: RegularFileError.notRegular(.other)) {
            _ = try FileSystem.contents(ofRegularFile: "/dev/zero", atMost: 10)
        }
    }

    @Test(.enabled(if: getuid() != 0, "root may read every file"))
    func `a file that may not be read is an error of the system`() throws {
        try FileSystem.write([1], toFile: path("a"))
        chmod(path("a"), 0)
        let error = #expect(throws: RegularFileError.self) {
            _ = try FileSystem.contents(ofRegularFile: path("a"), atMost: 10)
        }
        guard case .failed(let failure)? = error else {
            Issue.record("it was read")
            return
        }
        #expect(failure.errno == EACCES)
    }

    // MARK: Whether somebody writes

    @Test func `a file is whole when nobody has it open for writing`() throws {
        let file = path("a")
        let writer = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        #expect(FileSystem.writerStatus(file) == .open)
        // By another name it is the same file.
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

    @Test func `who begins to write while it is looked at is neither refused nor does he end us`() async throws {
        // Without care the kernel's signal to a holder of a lease ends the process.
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

    @Test func `where the kernel does not tell, it is unknown`() {
        // A file system that knows no leases.
        #expect(FileSystem.writerStatus("/proc/self/status") != .open)
        #expect(FileSystem.writerStatus(path("missing")) == .unknown)
    }
}
