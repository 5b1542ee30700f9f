import Glibc
import LinuxIO
import NotificationModel
import TestSupport
import Testing

struct FileSystemTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func path(_ name: String) -> String { "\(directory.path)/\(name)" }

    private func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    // MARK: Tests of directories

    @Test func `a second creation of a directory reports that the directory exists`() throws {
        #expect(try FileSystem.makeDirectory(path("new")))
        #expect(try !FileSystem.makeDirectory(path("new")))
        #expect(isFolder(path("new")))
        let error = #expect(throws: SystemError.self) { try FileSystem.makeDirectory(path("missing/new")) }
        #expect(error?.errno == ENOENT)
    }

    @Test(arguments: ["a", "a/b/c", "a//b/", "a/./b"])
    func `directories are created with their parents, and may exist already`(_ name: String) throws {
        try FileSystem.makeDirectories(path(name))
        try FileSystem.makeDirectories(path(name))
        #expect(isFolder(path(name)))
    }

    @Test func `the error of a directory that cannot be created has the kernel's reason`() {
        // The kernel refuses new names here with EPERM, EROFS or EACCES. The error must not be ENOENT.
        let error = #expect(throws: SystemError.self) { try FileSystem.makeDirectories("/sys/appgroupd-test/inner") }
        #expect(error.map { [EPERM, EROFS, EACCES].contains($0.errno) } == true)
        #expect(error?.call == "mkdir /sys/appgroupd-test")
    }

    @Test(arguments: ["file", "file/inner"])
    func `creating a directory throws an error if a file has the name of the directory`(_ name: String) throws {
        try FileSystem.replace(path("file"), with: [])
        let error = #expect(throws: SystemError.self) { try FileSystem.makeDirectories(path(name)) }
        #expect(error?.errno == ENOTDIR)
        #expect(throws: SystemError.self) { try FileSystem.makeDirectory(path("file")) }
    }

    @Test func `the names in a directory include hidden files and directories`() throws {
        #expect(try FileSystem.names(in: directory.path).isEmpty)
        let names = ["a", ".hidden", "ünïcode", String(repeating: "x", count: 200)]
        for name in names { try FileSystem.replace(path(name), with: []) }
        try FileSystem.makeDirectory(path("folder"))
        #expect(try FileSystem.names(in: directory.path).sorted() == (names + ["folder"]).sorted())
        let error = #expect(throws: SystemError.self) { _ = try FileSystem.names(in: path("missing")) }
        #expect(error?.errno == ENOENT)
    }

    @Test func `syncing a directory succeeds, and syncing a file as a directory throws an error`() throws {
        try FileSystem.syncDirectory(directory.path)
        try FileSystem.replace(path("file"), with: [])
        let error = #expect(throws: SystemError.self) { try FileSystem.syncDirectory(path("file")) }
        #expect(error?.errno == ENOTDIR)
    }

    // MARK: Tests of files

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 300_000])
    func `a read of a file returns all of its bytes`(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 251) }
        try FileSystem.replace(path("file"), with: bytes)
        #expect(try FileSystem.contents(of: path("file")) == bytes)
        #expect(FileSystem.size(of: path("file")) == count)
    }

    @Test(arguments: [("missing", ENOENT), ("", EISDIR), ("file/inner", ENOTDIR)])
    func `reading throws an error if a file cannot be read`(_ name: String, _ errno: Int32) throws {
        try FileSystem.replace(path("file"), with: [])
        let error = #expect(throws: SystemError.self) { _ = try FileSystem.contents(of: path(name)) }
        #expect(error?.errno == errno)
        if errno != EISDIR { #expect(FileSystem.size(of: path(name)) == nil) }
    }

    @Test func `an open file can be read after its name is removed, and links are not followed`() throws {
        try FileSystem.replace(path("file"), with: [1, 2])
        let file = try FileSystem.openForReading(path("file"))
        try FileSystem.remove(path("file"))
        #expect(try FileSystem.bytes(of: file, at: 0, count: 9) == [1, 2])
        let refusal = #expect(throws: SystemError.self) { try FileSystem.write([3], to: file.descriptor) }
        #expect(refusal?.errno == EBADF)
        #expect(symlink("/etc/passwd", path("link")) == 0)
        for (name, errno) in [("file", ENOENT), ("link", ELOOP)] {
            let error = #expect(throws: SystemError.self) { _ = try FileSystem.openForReading(path(name)) }
            #expect(error?.errno == errno)
        }
    }

    @Test func `a part of a file is read without moving the position of the file`() throws {
        let file = try AnonymousFile.create(in: directory.path)
        try FileSystem.write([1, 2, 3], to: file.descriptor)
        #expect(try FileSystem.bytes(of: file, at: 1, count: 1) == [2])
        #expect(try FileSystem.bytes(of: file, at: 2, count: 100) == [3])
        #expect(try FileSystem.bytes(of: file, at: 3, count: 100).isEmpty)
        try FileSystem.write([4], to: file.descriptor)
        #expect(try FileSystem.bytes(of: file, at: 0, count: 100) == [1, 2, 3, 4])
    }

    @Test(arguments: [0, 1, 1 << 18, (1 << 18) + 1, 700_000])
    func `chunks cover a file in order, and a copy has the same bytes`(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 257) }
        let file = try AnonymousFile.create(in: directory.path)
        try FileSystem.write(bytes[...], to: file.descriptor)
        var seen: [UInt8] = []
        try FileSystem.forEachChunk(of: file) { seen += $0 }
        #expect(seen == bytes)
        try FileSystem.copy(file, to: path("copy"))
        #expect(try FileSystem.contents(of: path("copy")) == bytes)
    }

    @Test func `the error of a write to a full device has the system's text`() throws {
        let full = try OwnedDescriptor.adopt(open("/dev/full", O_WRONLY), from: "open /dev/full")
        let error = #expect(throws: SystemError.self) { try FileSystem.write([1], to: full.raw) }
        #expect(error?.errno == ENOSPC)
        #expect(error?.description == "write: No space left on device")
    }

    @Test func `a socket is distinguished from other descriptors`() throws {
        let pair = try MessageSocket.pair()
        let file = try AnonymousFile.create(in: directory.path)
        #expect(FileSystem.isSocket(pair.parent.descriptor.raw))
        #expect(!FileSystem.isSocket(file.descriptor))
        #expect(!FileSystem.isSocket(-1))
    }

    @Test func `the path of the running program leads to an executable file`() throws {
        let path = try FileSystem.currentExecutable()
        #expect(FileSystem.isExecutable(path))
        #expect(!FileSystem.isExecutable(path + "-missing"))
    }
}
