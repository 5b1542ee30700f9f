import FoundationEssentials
import Glibc
import HTTPCaching
import LinuxIO
import NotificationModel

/// Stored responses in memory, their bytes in nameless files.
actor MemoryResponseStore: ResponseStoring {
    static let temporary = FileManager.default.temporaryDirectory.path

    private var entries: [(response: StoredResponse, file: MediaFile?)] = []
    private let folder: String
    private let joins: Bool

    /// - Parameter joins: whether it can put parts together.
    init(folder: String = MemoryResponseStore.temporary, joins: Bool = true) {
        self.folder = folder
        self.joins = joins
    }

    var all: [StoredResponse] { entries.map(\.response) }

    func responses(for key: String) -> [StoredResponse] { all.filter { $0.key == key } }

    func body(of response: StoredResponse) -> MediaFile? { entries.first { $0.response.id == response.id }?.file }

    func insert(_ response: StoredResponse, body: MediaFile?) {
        entries.removeAll { $0.response.id == response.id }
        entries.insert((response, body), at: 0)
    }

    func update(_ response: StoredResponse) {
        guard let index = entries.firstIndex(where: { $0.response.id == response.id }) else { return }
        entries[index].response = response
    }

    func remove(_ ids: [String]) { entries.removeAll { ids.contains($0.response.id) } }

    func removeAll(for key: String) { entries.removeAll { $0.response.key == key } }

    func joined(_ parts: [ResponseBody]) -> MediaFile? {
        guard joins else { return nil }
        return try? Self.file(parts.flatMap(Self.bytes(of:)), in: folder)
    }

    /// Takes the bytes away and leaves the entries, as a store does that has lost a file.
    func loseBytes() {
        for index in entries.indices { entries[index].file = nil }
    }

    static func file(_ bytes: [UInt8], in folder: String = temporary) throws -> MediaFile {
        let file = try AnonymousFile.create(in: folder)
        guard pwrite(file.descriptor, bytes, bytes.count, 0) == bytes.count else { throw SystemError.last("pwrite") }
        return file
    }

    static func bytes(of body: ResponseBody) -> [UInt8] { body.file.map { bytes(of: $0, body.bytes) } ?? [] }

    private static func bytes(of file: MediaFile, _ range: Range<Int>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            count = max(0, pread(file.descriptor, buffer.baseAddress, range.count, off_t(range.lowerBound)))
        }
    }
}
