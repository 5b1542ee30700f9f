import Dispatch
import Glibc
import LinuxIO
import NotificationModel
import Synchronization
import TestSupport
import Testing

struct ReplaceFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func path(_ name: String) -> String { "\(directory.path)/\(name)" }

    @Test func `a file is created or replaced, and no temporary file remains`() throws {
        try FileSystem.replace(path("file"), with: [1, 2, 3])
        #expect(try FileSystem.contents(of: path("file")) == [1, 2, 3])
        try FileSystem.replace(path("file"), with: [4])
        #expect(try FileSystem.contents(of: path("file")) == [4])
        #expect(try FileSystem.names(in: directory.path) == ["file"])
    }

    @Test func `a reader that has the old file open keeps its bytes`() throws {
        try FileSystem.replace(path("file"), with: [1, 2, 3])
        let old = MediaFile(descriptor: open(path("file"), O_RDONLY | O_CLOEXEC))
        try FileSystem.replace(path("file"), with: [4])
        #expect(try FileSystem.bytes(of: old, at: 0, count: 100) == [1, 2, 3])
    }

    @Test func `a reader gets the whole old file or the whole new file`() throws {
        let length = 200_000
        let file = path("file")
        try FileSystem.replace(file, with: [UInt8](repeating: 0, count: length))
        let isWritten = Atomic(false)
        let torn = Record<Int>()
        DispatchQueue.concurrentPerform(iterations: 2) { side in
            if side == 0 {
                for byte in UInt8(1)...40 {
                    try? FileSystem.replace(file, with: [UInt8](repeating: byte, count: length))
                }
                isWritten.store(true, ordering: .releasing)
            } else {
                repeat {
                    let bytes = (try? FileSystem.contents(of: file)) ?? []
                    let isWhole = bytes.count == length && bytes.allSatisfy { $0 == bytes[0] }
                    if !isWhole { torn.append(bytes.count) }
                } while !isWritten.load(ordering: .acquiring)
            }
        }
        #expect(torn.elements.isEmpty)
        #expect(try FileSystem.contents(of: file) == [UInt8](repeating: 40, count: length))
    }

    @Test func `a directory is not replaced, and no partial file remains`() throws {
        try FileSystem.makeDirectory(path("folder"))
        try FileSystem.replace(path("folder/inner"), with: [1])
        let error = #expect(throws: SystemError.self) { try FileSystem.replace(path("folder"), with: [2]) }
        #expect(error?.errno == EISDIR)
        #expect(try FileSystem.names(in: directory.path) == ["folder"])
        #expect(try FileSystem.contents(of: path("folder/inner")) == [1])
    }

    @Test func `a source that cannot be read leaves the old file and no partial file`() throws {
        try FileSystem.replace(path("file"), with: [1])
        let unreadable = MediaFile(descriptor: open(path("file"), O_WRONLY | O_CLOEXEC), isLinkable: false) {
            close($0)
        }
        let error = #expect(throws: SystemError.self) { try FileSystem.copy(unreadable, to: path("file")) }
        #expect(error?.errno == EBADF)
        #expect(try FileSystem.names(in: directory.path) == ["file"])
        #expect(try FileSystem.contents(of: path("file")) == [1])
    }

    @Test func `a full disk leaves the old file and no partial file`() async throws {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            try FileSystem.replace(directory.path + "/file", with: [1])
            // A file size limit has the effect of a full disk for one process. A write beyond the limit fails with an
            // error, because the process ignores the signal.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 1_000, rlim_max: 1_000)
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            let error = #expect(throws: SystemError.self) {
                try FileSystem.replace(directory.path + "/file", with: [UInt8](repeating: 2, count: 2_000))
            }
            #expect(error?.errno == EFBIG)
            #expect(try FileSystem.names(in: directory.path) == ["file"])
            #expect(try FileSystem.contents(of: directory.path + "/file") == [1])
        }
    }

    @Test func `the error of a missing directory names the file`() {
        let error = #expect(throws: SystemError.self) { try FileSystem.replace(path("missing/file"), with: [1]) }
        #expect(error?.errno == ENOENT)
        #expect(error?.call.contains(path("missing/file")) == true)
    }
}
