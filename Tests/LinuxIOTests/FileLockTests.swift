import Glibc
import TestSupport
import Testing

@testable import LinuxIO

struct FileLockTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var path: String { "\(directory.path)/lock" }

    private func failure(_ path: String) -> FileLock.Failure? {
        do throws(FileLock.Failure) {
            _ = try FileLock.take(path)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a lock has one holder, whose number is in the errors of other callers`() throws {
        let lock = try FileLock.take(path)
        #expect(failure(path) == .locked(.init(pid: getpid())))
        #expect(failure(path)?.description == "process \(getpid()) holds it")
        #expect(try FileLock.holder(of: path) == .init(pid: getpid()))
        #expect(try FileSystem.contents(of: path) == Array("\(getpid())\n".utf8))
        withExtendedLifetime(lock) {}
    }

    @Test func `a lock file is readable only by its owner`() throws {
        let lock = try FileLock.take(path)
        var status = stat()
        try #require(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        withExtendedLifetime(lock) {}
    }

    @Test func `a released lock can be taken even if the file still contains the number of the old holder`() throws {
        do { _ = try FileLock.take(path) }
        #expect(try FileLock.holder(of: path) == nil)
        #expect(FileSystem.size(of: path) != 0)
        #expect(failure(path) == nil)
    }

    @Test func `a query for the holder takes no lock and creates no file`() throws {
        #expect(try FileLock.holder(of: path) == nil)
        #expect(FileSystem.size(of: path) == nil)
        try FileSystem.replace(path, with: Array("123456\n".utf8))
        #expect(try FileLock.holder(of: path) == nil)
        #expect(failure(path) == nil)
    }

    @Test func `the number of a new holder replaces a longer text in the lock file completely`() throws {
        try FileSystem.replace(path, with: Array("99999999999\nmore\n".utf8))
        let lock = try FileLock.take(path)
        #expect(try FileSystem.contents(of: path) == Array("\(getpid())\n".utf8))
        withExtendedLifetime(lock) {}
    }

    @Test(arguments: ["", "x", "99999999999999999999", "\n"])
    func `a holder that has not written its number is reported without a number`(_ text: String) throws {
        let lock = try FileLock.take(path)
        try FileSystem.write(Array(text.utf8), toFile: path)
        #expect(try FileLock.holder(of: path) == .init(pid: nil))
        #expect(failure(path)?.description == "another process holds it")
        withExtendedLifetime(lock) {}
    }

    @Test func `a killed holder releases its lock`() async throws {
        setenv("APPGROUPD_TEST_LOCK", path, 1)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            let path = try #require(getenv("APPGROUPD_TEST_LOCK").map { String(cString: $0) })
            let lock = try FileLock.take(path)
            kill(getpid(), SIGKILL)
            withExtendedLifetime(lock) {}
        }
        unsetenv("APPGROUPD_TEST_LOCK")
        #expect(FileSystem.size(of: path) != nil)
        #expect(try FileLock.holder(of: path) == nil)
        #expect(failure(path) == nil)
    }

    @Test func `a file that replaces a locked file is not locked`() throws {
        let lock = try FileLock.take(path)
        try FileSystem.remove(path)
        #expect(failure(path) == nil)
        withExtendedLifetime(lock) {}
    }

    @Test func `the lock throws an error if its file cannot be opened`() throws {
        try FileSystem.replace("\(directory.path)/target", with: [])
        symlink("\(directory.path)/target", path)
        guard case .failed(let error)? = failure(path) else {
            Issue.record("a symbolic link was locked")
            return
        }
        #expect(error.errno == ELOOP)
        #expect(throws: SystemError.self) { _ = try FileLock.holder(of: path) }
    }
}
