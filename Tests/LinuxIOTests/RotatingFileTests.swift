import Glibc
import LinuxIO
import TestSupport
import Testing

@Suite struct RotatingFileTests {
    private let directory: TemporaryDirectory

    private var path: String { directory.path + "/a.log" }

    init() throws { directory = try TemporaryDirectory() }

    private func text(_ suffix: String = "") throws -> String {
        String(decoding: try FileSystem.contents(of: path + suffix), as: UTF8.self)
    }

    private func names() throws -> [String] { try FileSystem.names(in: directory.path).sorted() }

    private static func line(_ text: String) -> [UInt8] { Array("\(text)\n".utf8) }

    @Test func `a full file gets the next name, and the oldest file is removed`() throws {
        let file = try RotatingFile(path, maxBytes: 10, maxFiles: 3)
        for number in 1...9 { try file.write(Self.line("line\(number)")) }
        let names = try names()
        #expect(names == ["a.log", "a.log.1", "a.log.2"])
        #expect(try text() == "line9\n")
        #expect(try text(".1") == "line8\n")
        #expect(try text(".2") == "line7\n")
    }

    @Test func `no file exceeds its size, and all lines of the kept files are whole`() throws {
        let file = try RotatingFile(path, maxBytes: 1_000, maxFiles: 4)
        for number in 0..<1_000 { try file.write(Self.line("\(number)" + String(repeating: "x", count: number % 90))) }
        var numbers: [Int] = []
        for suffix in [".3", ".2", ".1", ""] {
            let text = try text(suffix)
            #expect(text.utf8.count <= 1_000)
            numbers += text.split(separator: "\n").compactMap { Int($0.prefix { $0 != "x" }) }
        }
        #expect(numbers == Array((1_000 - numbers.count)..<1_000))
    }

    @Test func `a line that is longer than a file has a file of its own`() throws {
        let file = try RotatingFile(path, maxBytes: 10, maxFiles: 3)
        try file.write(Self.line("a"))
        try file.write(Self.line(String(repeating: "b", count: 100)))
        try file.write(Self.line("c"))
        #expect(try text() == "c\n")
        #expect(try text(".1").utf8.count == 101)
        #expect(try text(".2") == "a\n")
    }

    @Test func `a single file begins again when it is full`() throws {
        let file = try RotatingFile(path, maxBytes: 10, maxFiles: 1)
        for number in 1...5 { try file.write(Self.line("line\(number)")) }
        #expect(try text() == "line5\n")
        let names = try names()
        #expect(names == ["a.log"])
    }

    @Test func `lines are appended to an existing file`() throws {
        do {
            let file = try RotatingFile(path, maxBytes: 100, maxFiles: 2)
            try file.write(Self.line("one"))
        }
        let file = try RotatingFile(path, maxBytes: 100, maxFiles: 2)
        try file.write(Self.line("two"))
        #expect(try text() == "one\ntwo\n")
        withExtendedLifetime(file) {}
    }

    @Test func `a file that another program has moved is opened again`() throws {
        let file = try RotatingFile(path, maxBytes: 100, maxFiles: 2)
        try file.write(Self.line("one"))
        file.reopen()
        try FileSystem.rename(path, to: path + ".old")
        try file.write(Self.line("two"))
        file.reopen()
        try file.write(Self.line("three"))
        #expect(try text(".old") == "one\ntwo\n")
        #expect(try text() == "three\n")
    }

    @Test func `a full file that another program has removed or moved is left, and its path gets a file`() throws {
        let file = try RotatingFile(path, maxBytes: 10, maxFiles: 3)
        try file.write(Self.line("line1"))
        try FileSystem.remove(path)
        try file.write(Self.line("line2"))
        #expect(try text() == "line2\n")
        try FileSystem.rename(path, to: path + ".old")
        try FileSystem.write(Self.line("other"), toFile: path)
        try file.write(Self.line("line3"))
        try file.write(Self.line("line4"))
        #expect(try text() == "line4\n")
        let names = try names()
        #expect(names == ["a.log", "a.log.1", "a.log.2", "a.log.old"])
        #expect(try text(".2") == "other\n")
    }

    @Test func `a name that cannot be given leaves all lines where they are, and is tried again`() throws {
        let file = try RotatingFile(path, maxBytes: 10, maxFiles: 3)
        try file.write(Self.line("line1"))
        // A directory does not replace one that has files.
        try FileSystem.makeDirectory(path + ".1")
        try FileSystem.makeDirectory(path + ".2")
        try FileSystem.write([], toFile: path + ".2/file")
        for _ in 0..<3 { #expect(throws: RotatingFile.Failure.self) { try file.write(Self.line("line2")) } }
        #expect(try text() == "line1\n")
        try FileSystem.remove(path + ".2/file")
        try FileSystem.removeDirectory(path + ".1")
        try FileSystem.removeDirectory(path + ".2")
        try file.write(Self.line("line3"))
        #expect(try text() == "line3\n")
        #expect(try text(".1") == "line1\n")
    }

    @Test func `a second writer of the file is refused, also after a rotation`() throws {
        let file = try RotatingFile(path, maxBytes: 10, maxFiles: 2)
        #expect(throws: RotatingFile.Failure.self) { try RotatingFile(path, maxBytes: 10, maxFiles: 2) }
        for number in 1...3 { try file.write(Self.line("line\(number)")) }
        #expect(throws: RotatingFile.Failure.self) { try RotatingFile(path, maxBytes: 10, maxFiles: 2) }
        try file.write(Self.line("line4"))
        #expect(try text() == "line4\n")
    }

    @Test(arguments: ["/dev/null", "/", "missing/a.log", "link", "pipe"])
    func `a path without a regular file is refused`(_ name: String) throws {
        let place = name.hasPrefix("/") ? name : "\(directory.path)/\(name)"
        symlink("/dev/null", directory.path + "/link")
        mkfifo(directory.path + "/pipe", 0o600)
        #expect(throws: RotatingFile.Failure.self) { try RotatingFile(place, maxBytes: 10, maxFiles: 2) }
    }

    @Test func `other users cannot read the file`() throws {
        let file = try RotatingFile(path, maxBytes: 10, maxFiles: 2)
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o7 == 0)
        withExtendedLifetime(file) {}
    }
}
