import Glibc
import Lab
import Testing

struct ServedDirectoryTests {
    @Test func `a file is found by its path`() throws {
        let directory = try TemporaryDirectory.withMedia()
        defer { directory.remove() }
        let served = try ServedDirectory(directory.path)
        #expect(try served.file(at: "photo.jpg").size == Media.photo.count)
        #expect(try served.file(at: "sub folder/data.json").contentType == "application/json")
    }

    @Test(arguments: [
        "", "nothing.jpg", "sub folder", "photo.jpg/x", "../passwd", "sub folder/../photo.jpg", "/etc/passwd",
        "link.jpg", "link/data.json", "dangling", "pipe",
    ])
    func `a path that does not lead to a regular file is not found`(path: String) throws {
        let directory = try TemporaryDirectory.withMedia()
        defer { directory.remove() }
        try directory.link("link.jpg", to: "photo.jpg")
        try directory.link("link", to: "sub folder")
        try directory.link("dangling", to: "/nowhere")
        try directory.makePipe("pipe")
        let served = try ServedDirectory(directory.path)
        #expect(throws: FileRefusal.notFound) { try served.file(at: path) }
        #expect(directory.openDescriptors() == 1, "only the directory itself is open")
    }

    @Test func `a changed file has a new tag`() throws {
        let directory = try TemporaryDirectory.withMedia()
        defer { directory.remove() }
        let served = try ServedDirectory(directory.path)
        let before = try served.file(at: "photo.jpg").entityTag
        #expect(try served.file(at: "photo.jpg").entityTag == before)
        try directory.write(Media.photo + [0], to: "photo.jpg")
        #expect(try served.file(at: "photo.jpg").entityTag != before)
    }

    @Test func `the error of a missing directory names the directory`() {
        let error = #expect(throws: OriginStartError.self) { try ServedDirectory("/nowhere/at/all") }
        let sentence = "the directory `/nowhere/at/all` cannot be opened: No such file or directory"
        #expect(error?.description == sentence)
    }
}
