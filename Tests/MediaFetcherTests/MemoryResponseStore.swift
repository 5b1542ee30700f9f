import HTTPCaching
import LinuxIO
import NotificationModel

/// Stored responses in memory, their bytes in the files that they came in.
actor MemoryResponseStore: ResponseStoring {
    private var entries: [(response: StoredResponse, file: MediaFile?)] = []

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
        guard let file = try? AnonymousFile.create(in: "/tmp") else { return nil }
        var offset = 0
        for part in parts {
            guard let from = part.file,
                let bytes = try? FileSystem.bytes(of: from, at: part.bytes.lowerBound, count: part.bytes.count),
                (try? bytes.withUnsafeBytes { try FileSystem.write($0, to: file, at: offset) }) != nil
            else { return nil }
            offset += bytes.count
        }
        return file
    }

    /// Takes the bytes away and leaves the entries, as a store does that has lost its files.
    func loseBytes() {
        for index in entries.indices { entries[index].file = nil }
    }
}
