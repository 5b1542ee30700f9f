import Base
import Digests
import FoundationEssentials
import LinuxIO
import NotificationModel

/// The directory of the stored batches: `ROOT/.appgroupd/batches`. Each batch is a directory of its own, which gets its
/// name when it is complete. All functions run on one thread.
struct BatchDirectory: Sendable {
    let path: String
    let loop: EventLoop
    let clock: any RequestClock
    /// Frees this number of bytes on a full disk, and returns whether any bytes were freed.
    let freeSpace: @Sendable (_ byteCount: Int) async -> Bool

    /// The number of bytes that are freed at a time on a full disk.
    private static let step = 4 << 20
    private static let newPrefix = ".new-"

    private static func bodyPath(_ batch: String) -> String { batch + "/body.ndjson" }
    private static func resultsPath(_ batch: String) -> String { batch + "/results.ndjson" }
    private static func recordPath(_ batch: String) -> String { batch + "/batch.json" }

    /// Returns the path of a batch. Each owner has ids of its own.
    func path(of id: RequestID, of owner: String) -> String {
        "\(path)/\(Hexadecimal.text(of: SHA256.hash(Array("\(owner)\n\(id)".utf8)).prefix(16)))"
    }

    /// Creates the directory, and removes the remains of bodies that an earlier daemon did not store.
    func prepare() async throws(SystemError) {
        try await loop.perform { () throws(SystemError) in
            try FileSystem.makeDirectories(path, durably: true)
            for name in try FileSystem.names(in: path) {
                let batch = "\(path)/\(name)"
                if name.hasPrefix(Self.newPrefix) { Self.remove(batch) } else { Self.removePartialRecords(in: batch) }
            }
        }
    }

    /// Removes the records that an earlier daemon did not write to their ends.
    private static func removePartialRecords(in batch: String) {
        for name in (try? FileSystem.names(in: batch)) ?? [] where name.hasPrefix("batch.json.") {
            try? FileSystem.remove("\(batch)/\(name)")
        }
    }

    /// Creates a file without a name, for the results of a call.
    func scratchFile() async throws(SystemError) -> BatchFile {
        try await BatchFile(unnamedIn: path, on: loop, clock: clock)
    }

    func body(of batch: String) -> BatchFile { BatchFile(Self.bodyPath(batch), on: loop, clock: clock) }

    func results(of batch: String) -> BatchFile { BatchFile(Self.resultsPath(batch), on: loop, clock: clock) }

    /// A body on its way to the disk.
    struct Arriving: Sendable {
        let path: String
        let file: BatchFile
    }

    func begin() async throws(SystemError) -> Arriving {
        let path = "\(path)/\(Self.newPrefix)\(UInt64.random(in: .min ... .max).hexadecimal(digits: 16))"
        try await loop.perform { () throws(SystemError) in _ = try FileSystem.makeDirectory(path) }
        return Arriving(path: path, file: body(of: path))
    }

    /// Writes a piece of a body. A full disk is tried again as long as space is freed.
    func write(_ piece: [UInt8], of body: Arriving, at offset: Int) async throws(SystemError) {
        while true {
            do throws(SystemError) { return try await body.file.write(piece, at: offset) } catch {
                guard error.isDiskFull, await freeSpace(Self.step) else { throw error }
            }
        }
    }

    /// Gives a complete body its name, after it is durable.
    func publish(_ body: Arriving, _ record: StoredBatch.Record, as path: String) async throws(SystemError) {
        try await body.file.sync()
        try await loop.perform { () throws(SystemError) in
            try Self.store(record, in: body.path)
            try FileSystem.syncDirectory(body.path)
            try FileSystem.rename(body.path, to: path)
            try FileSystem.syncDirectory(self.path)
        }
    }

    /// Stores the record that the batch has when its turn on the thread comes, so that no older record replaces it.
    func storeRecord(of batch: StoredBatch) async throws(SystemError) {
        try await loop.perform { () throws(SystemError) in
            try Self.store(batch.record, in: batch.path)
            try FileSystem.syncDirectory(batch.path)
        }
    }

    private static func store(_ record: StoredBatch.Record, in batch: String) throws(SystemError) {
        try FileSystem.replace(recordPath(batch), with: JSONWriter.bytes(of: record.json))
    }

    func remove(_ batch: String) async { await loop.perform { Self.remove(batch) } }

    private static func remove(_ batch: String) {
        for name in (try? FileSystem.names(in: batch)) ?? [] { try? FileSystem.remove("\(batch)/\(name)") }
        try? FileSystem.removeDirectory(batch)
    }

    /// Returns the number of bytes of the files of a batch.
    func byteCount(of batch: String) async -> Int {
        await loop.perform {
            [Self.bodyPath(batch), Self.resultsPath(batch)].reduce(0) { $0 + (FileSystem.size(of: $1) ?? 0) }
        }
    }

    /// Returns the paths and the records of all batches. A directory without a readable record is left out.
    func records() async -> [(path: String, record: StoredBatch.Record)] {
        await loop.perform {
            ((try? FileSystem.names(in: path)) ?? []).filter { !$0.hasPrefix(".") }.sorted().compactMap { name in
                let batch = "\(path)/\(name)"
                guard let bytes = try? FileSystem.contents(of: Self.recordPath(batch)),
                    let record = (try? JSONParser.value(of: bytes)).flatMap(StoredBatch.Record.init)
                else { return nil }
                return (batch, record)
            }
        }
    }
}
