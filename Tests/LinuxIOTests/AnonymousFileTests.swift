import Glibc
import LinuxIO
import NotificationModel
import TestSupport
import Testing

struct AnonymousFileTests {
    private func write(_ text: String, to file: MediaFile) throws {
        try FileSystem.write(Array(text.utf8)[...], to: file.descriptor)
    }

    @Test func `a new file is empty and nameless, and is open for reading and writing`() throws {
        let directory = try TemporaryDirectory()
        let file = try AnonymousFile.create(in: directory.path)
        #expect(try FileSystem.names(in: directory.path).isEmpty)
        #expect(try FileSystem.size(of: file) == 0)
        try write("bytes", to: file)
        #expect(try FileSystem.bytes(of: file, at: 0, count: 100) == Array("bytes".utf8))
        #expect(try FileSystem.names(in: directory.path).isEmpty)
        #expect(fcntl(file.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test func `a new file is on the file system of its directory, and only its owner and group can read it`() throws {
        let directory = try TemporaryDirectory()
        let file = try AnonymousFile.create(in: directory.path)
        var own = stat()
        var parent = stat()
        try #require(fstat(file.descriptor, &own) == 0 && stat(directory.path, &parent) == 0)
        #expect(own.st_dev == parent.st_dev)
        #expect(own.st_mode & 0o777 & ~0o640 == 0)
    }

    @Test func `a linked file keeps its bytes after its descriptor is closed`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/named"
        do {
            let file = try AnonymousFile.create(in: directory.path)
            #expect(file.isLinkable)
            try write("bytes", to: file)
            try FileSystem.sync(file)
            try AnonymousFile.link(file, to: path)
        }
        #expect(try FileSystem.names(in: directory.path) == ["named"])
        #expect(try FileSystem.contents(of: path) == Array("bytes".utf8))
    }

    @Test func `a link does not replace an existing file`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/taken"
        try FileSystem.replace(path, with: Array("first".utf8))
        let file = try AnonymousFile.create(in: directory.path)
        try write("second", to: file)
        let error = #expect(throws: SystemError.self) { try AnonymousFile.link(file, to: path) }
        #expect(error?.errno == EEXIST)
        #expect(try FileSystem.contents(of: path) == Array("first".utf8))
        #expect(try FileSystem.names(in: directory.path) == ["taken"])
    }

    @Test func `a file is closed when its last reference is released`() throws {
        let directory = try TemporaryDirectory()
        var own = stat()
        let number = try {
            let file = try AnonymousFile.create(in: directory.path)
            try #require(fstat(file.descriptor, &own) == 0)
            return file.descriptor
        }()
        // Another test may already use the descriptor number for another file.
        var now = stat()
        #expect(fstat(number, &now) != 0 || now.st_ino != own.st_ino || now.st_dev != own.st_dev)
    }

    @Test(arguments: [("missing", ENOENT), ("file", ENOTDIR)])
    func `the error of a file in a missing directory names the directory`(_ name: String, _ errno: Int32) throws {
        let directory = try TemporaryDirectory()
        try FileSystem.replace(directory.path + "/file", with: [])
        let error = #expect(throws: SystemError.self) { _ = try AnonymousFile.create(in: "\(directory.path)/\(name)") }
        #expect(error?.errno == errno)
        #expect(error?.call.contains("\(directory.path)/\(name)") == true)
    }
}
