import Glibc
import Synchronization

/// A new directory, which its creator must remove. ARC could release it after its last use, while the origin still
/// serves it.
final class TemporaryDirectory: Sendable {
    struct Failure: Error {
        var step: String
        var errno: Int32
    }

    let path: String
    private let entries = Mutex<[String]>([])

    init() throws {
        var template = Array("/tmp/lab-tests-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(step: "mkdtemp", errno: errno) }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    func remove() {
        for entry in entries.withLock(\.self).reversed() { Glibc.remove(entry) }
        Glibc.remove(path)
    }

    /// Creates a directory with one image, one video, and one JSON file in a subdirectory.
    static func withMedia() throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        try directory.write(Media.photo, to: "photo.jpg")
        try directory.write(Media.video, to: "video.mp4")
        try directory.makeDirectory("sub folder")
        try directory.write(Array("{}".utf8), to: "sub folder/data.json")
        return directory
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        guard let file = fopen(entry(name), "w") else { throw Failure(step: name, errno: errno) }
        defer { fclose(file) }
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw Failure(step: name, errno: errno) }
    }

    func makeDirectory(_ name: String) throws {
        guard mkdir(entry(name), 0o755) == 0 else { throw Failure(step: name, errno: errno) }
    }

    func makePipe(_ name: String) throws {
        guard mkfifo(entry(name), 0o600) == 0 else { throw Failure(step: name, errno: errno) }
    }

    func link(_ name: String, to target: String) throws {
        guard symlink(target, entry(name)) == 0 else { throw Failure(step: name, errno: errno) }
    }

    /// Returns the path of a new entry, which is removed with the directory.
    private func entry(_ name: String) -> String {
        entries.withLock { $0.append("\(path)/\(name)") }
        return "\(path)/\(name)"
    }

    /// Returns the number of descriptors of this process that are open on the directory or its entries.
    func openDescriptors() -> Int {
        (0..<CInt(1024)).count { descriptor in
            var target = [UInt8](repeating: 0, count: 512)
            let length = target.withUnsafeMutableBytes { space in
                space.withMemoryRebound(to: CChar.self) { text in
                    text.baseAddress.map { readlink("/proc/self/fd/\(descriptor)", $0, text.count) } ?? -1
                }
            }
            return length > 0 && String(decoding: target.prefix(length), as: UTF8.self).hasPrefix(path)
        }
    }
}

/// A source of bytes that are not real media, but that reveal a missing, duplicated or exchanged byte.
enum Media {
    static let photo = pattern(3000)
    static let video = pattern(200_000)

    static func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 ^ ($0 >> 8)) } }
}
