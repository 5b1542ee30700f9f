import FoundationEssentials
package import HTTPCaching
package import LinuxIO
package import NotificationModel

/// A store of responses in memory. Their bytes are in files without a name.
package actor MemoryResponseStore: ResponseStoring {
    private static let temporary = FileManager.default.temporaryDirectory.path

    private var entries: [(response: StoredResponse, file: MediaFile?)] = []
    private let joins: Bool
    private var waiters: [CheckedContinuation<Void, Never>] = []

    /// - Parameter joins: Whether the store can combine parts of a body.
    package init(joins: Bool = true) { self.joins = joins }

    package var all: [StoredResponse] { entries.map(\.response) }

    package func responses(for key: String) -> [StoredResponse] { all.filter { $0.key == key } }

    package func body(of response: StoredResponse) -> MediaFile? {
        entries.first { $0.response.id == response.id }?.file
    }

    package func insert(
        _ response: StoredResponse, body: MediaFile?, checksum: UInt64?, since mark: RecentPurges.Mark
    ) {
        if let checksum, let body { precondition(checksum == Self.checksum(of: body), "another checksum") }
        entries.removeAll { $0.response.id == response.id }
        entries.insert((response, body), at: 0)
        for waiter in waiters { waiter.resume() }
        waiters = []
    }

    /// Waits until a response is stored.
    package func waitForEntry() async {
        guard entries.isEmpty else { return }
        await withCheckedContinuation { waiters.append($0) }
    }

    package func update(_ response: StoredResponse) {
        guard let index = entries.firstIndex(where: { $0.response.id == response.id }) else { return }
        entries[index].response = response
    }

    package func remove(_ ids: [String]) { entries.removeAll { ids.contains($0.response.id) } }

    package func removeAll(for key: String) { entries.removeAll { $0.response.key == key } }

    package func joined(_ parts: [ResponseBody]) -> MediaFile? {
        guard joins else { return nil }
        return try? Self.file(parts.flatMap(Self.bytes(of:)))
    }

    /// Removes the bytes and keeps the entries, like a store that has lost its files.
    package func loseBytes() {
        for index in entries.indices { entries[index].file = nil }
    }

    private static func checksum(of body: MediaFile) -> UInt64? {
        guard var checksum = try? Checksum(), let count = try? FileSystem.size(of: body),
            let bytes = try? FileSystem.bytes(of: body, at: 0, count: count)
        else { return nil }
        checksum.update(bytes)
        return checksum.value
    }

    package static func file(_ bytes: [UInt8]) throws -> MediaFile {
        let file = try AnonymousFile.create(in: temporary)
        try bytes.withUnsafeBytes { try FileSystem.write($0, to: file, at: 0) }
        return file
    }

    /// Returns the bytes of a body; an empty array if they cannot be read.
    package static func bytes(of body: ResponseBody) -> [UInt8] {
        guard let file = body.file else { return [] }
        return (try? FileSystem.bytes(of: file, at: body.bytes.lowerBound, count: body.bytes.count)) ?? []
    }
}
