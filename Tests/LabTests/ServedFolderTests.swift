import Glibc
import Lab
import Testing

struct ServedFolderTests {
    @Test func `a file is found by its path`() throws {
        let folder = try TemporaryFolder.withMedia()
        defer { folder.remove() }
        let served = try ServedFolder(folder.path)
        #expect(try served.file(at: "photo.jpg").size == Media.photo.count)
        #expect(try served.file(at: "sub folder/data.json").contentType == "application/json")
    }

    @Test(arguments: [
        "", "nothing.jpg", "sub folder", "photo.jpg/x", "../passwd", "sub folder/../photo.jpg", "/etc/passwd",
        "link.jpg", "link/data.json", "dangling", "pipe",
    ])
    func `nothing else is found`(path: String) throws {
        let folder = try TemporaryFolder.withMedia()
        defer { folder.remove() }
        try folder.link("link.jpg", to: "photo.jpg")
        try folder.link("link", to: "sub folder")
        try folder.link("dangling", to: "/nowhere")
        try folder.makePipe("pipe")
        let served = try ServedFolder(folder.path)
        #expect(throws: FileRefusal.notFound) { try served.file(at: path) }
        #expect(folder.openDescriptors() == 1, "the folder itself, and nothing that was tried")
    }

    @Test func `a changed file has another tag`() throws {
        let folder = try TemporaryFolder.withMedia()
        defer { folder.remove() }
        let served = try ServedFolder(folder.path)
        let before = try served.file(at: "photo.jpg").entityTag
        #expect(try served.file(at: "photo.jpg").entityTag == before)
        try folder.write(Media.photo + [0], to: "photo.jpg")
        #expect(try served.file(at: "photo.jpg").entityTag != before)
    }

    @Test func `a folder that is none says so`() {
        let error = #expect(throws: OriginStartError.self) { try ServedFolder("/nowhere/at/all") }
        let sentence = "the folder to serve, `/nowhere/at/all`, cannot be opened: No such file or directory"
        #expect(error?.description == sentence)
    }
}
