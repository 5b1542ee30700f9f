import HTTPCaching
import LinuxIO
import NotificationModel

/// The records of an archive, whose blobs are staged.
struct ArchiveContent {
    private(set) var responses: [(name: String, record: ArchiveRecord.Response)] = []
    private(set) var renditions: [(name: String, record: ArchiveRecord.Renditions)] = []
    private(set) var pins: [(name: String, record: ArchiveRecord.Pin)] = []
    /// Bytes of all entries.
    var byteCount = 0

    mutating func add(_ record: ArchiveRecord, named name: String) {
        switch record {
        case .response(let response): responses.append((name, response))
        case .renditions(let renditions): self.renditions.append((name, renditions))
        case .pin(let pin): pins.append((name, pin))
        }
    }

    var recordCount: Int { responses.count + renditions.count + pins.count }

    /// Checks that each record has its blobs, each blob a record, and each set of renditions its response.
    ///
    /// - Parameter isType: whether a file that begins with these bytes is of a type.
    func check(_ staging: ArchiveStaging, isType: (RenditionType, [UInt8]) -> Bool) throws {
        var used: Set<String> = []
        func use(_ digest: String, _ byteCount: Int, in record: String) throws {
            guard staging.byteCounts[digest] == byteCount else {
                throw ArchiveError.missing(blob: digest, record: record)
            }
            used.insert(digest)
        }
        func use(_ media: StoredRenditions, in record: String) throws {
            for asset in media.assets {
                try use(asset.sha256, asset.info.byteCount, in: record)
                let head = try FileSystem.bytes(of: staging.open(asset.sha256), at: 0, count: 512)
                guard isType(asset.info.type, head) else {
                    let problem = "\(asset.sha256) is not of the type \(asset.info.type.mimeType)"
                    throw ArchiveError.record(name: record, problem: problem)
                }
            }
        }
        var ids: Set<String> = []
        for (name, record) in responses {
            guard ids.insert(record.response.id).inserted else {
                throw ArchiveError.record(name: name, problem: "another record has the same id")
            }
            if let body = record.body { try use(body, record.response.storedBytes.count, in: name) }
        }
        for (name, record) in renditions {
            guard ids.contains(record.key.identity) else {
                throw ArchiveError.record(name: name, problem: "its response is not in the archive")
            }
            try use(record.media, in: name)
        }
        for (name, record) in pins { try use(record.media, in: name) }
        if let unused = staging.byteCounts.keys.first(where: { !used.contains($0) }) {
            throw ArchiveError.unused(blob: unused)
        }
    }
}
