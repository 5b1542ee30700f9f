import Base
package import FoundationEssentials
package import LinuxIO

/// The file of a batch's items that have ended. Each item is a line of JSON, written before the report counts it.
///
/// The first line names the sources and options to which the file belongs. A process that is killed leaves at most one
/// incomplete line at the end, which the next run removes. The actor runs on a separate thread, `agd-warm`.
package actor WarmJournal {
    private nonisolated let loop: EventLoop
    private let path: String
    private let file: AppendFile
    /// The number of bytes that earlier runs have written.
    private var earlierBytes = 0
    private var batch: WarmBatch?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Opens the journal and locks it.
    package init(_ path: String) throws(WarmJournalError) {
        self.path = path
        do throws(FileLock.Failure) { file = try AppendFile.open(path) } catch {
            if case .locked = error { throw .locked }
            throw .failed("\(error)")
        }
        do throws(SystemError) { loop = try EventLoop.start(name: "agd-warm") } catch { throw .failed("\(error)") }
    }

    /// Ends the thread. The method must be called once, after all other calls.
    package nonisolated func shutdown() { loop.shutdown() }

    /// Reads the records of earlier runs, and prepares the file for a run that begins at a date. Throws `foreign` if
    /// the named journal belongs to another batch, or if the file is not a journal.
    package func begin(
        _ batch: WarmBatch, _ use: WarmJournalUse, at date: Date
    ) throws(WarmJournalError) -> WarmHistory {
        var reader = WarmJournalReader(batch)
        do throws(SystemError) { try file.forEachPiece { reader.append($0) } } catch {
            throw .failed("\(path): \(error)")
        }
        let isContinued = try reader.isContinued(use)
        (earlierBytes, self.batch) = (isContinued ? reader.wholeBytes : 0, batch)
        do throws(SystemError) {
            try file.truncate(to: earlierBytes)
            if !isContinued { try file.append(line(batch.header(began: date))) }
        } catch {
            throw .failed("\(path): \(error)")
        }
        return isContinued ? reader.history : WarmHistory()
    }

    /// Reads again the records of the items that earlier runs have completed. They are not kept in memory.
    package func forEachEarlier(_ body: (WarmRecord) -> Void) throws(SystemError) {
        guard earlierBytes > 0, let batch else { return }
        var reader = WarmJournalReader(batch)
        var left = earlierBytes
        try file.forEachPiece { piece in
            reader.append(piece.prefix(left), body)
            left -= min(left, piece.count)
        }
    }

    /// Reads the records of earlier runs, without a lock and without a change of the file.
    ///
    /// - Throws: The errors of `begin`.
    package static func history(
        at path: String, _ batch: WarmBatch, _ use: WarmJournalUse
    ) throws(WarmJournalError) -> WarmHistory {
        var reader = WarmJournalReader(batch)
        do throws(SystemError) {
            let file = try FileReader(path)
            while case let piece = try file.next(), !piece.isEmpty { reader.append(piece[...]) }
        } catch {
            throw .failed("\(path): \(error)")
        }
        return try reader.isContinued(use) ? reader.history : WarmHistory()
    }

    /// Writes the records of items that have ended.
    package func append(_ records: [WarmRecord]) throws(SystemError) {
        try file.append(records.flatMap { line($0.json) })
    }

    /// Writes the mark that all items of the batch have ended, and the number of failed items.
    package func end(failed: Int) throws(SystemError) {
        try file.append(line(["end": true, "failed": .number(failed)]))
        try file.sync()
    }

    private func line(_ json: JSONValue) -> [UInt8] { JSONWriter.bytes(of: json) + [UInt8(ascii: "\n")] }
}

/// The way in which the journal of an earlier run is used.
package enum WarmJournalUse: Sendable {
    /// The journal is continued, unless the earlier run reached its end.
    case automatic
    /// The journal is continued, unless the earlier run reached its end without failures.
    case named
    /// The journal is replaced.
    case anew
}

package enum WarmJournalError: Error, Sendable, Equatable {
    /// Another process has locked the journal.
    case locked
    /// The journal belongs to other sources, another target or other options, or the file is not a journal.
    case foreign
    case failed(String)
}

/// The sources and options to which a journal belongs.
package struct WarmBatch: Sendable, Equatable {
    /// The names of the sources.
    package let sources: [String]
    /// The digest of the sources, of the target and of all options that affect the renditions.
    package let key: WarmKey

    /// - Parameter target: The root directory, or the address of the daemon, where the renditions are stored.
    /// - Parameter options: The options, always in the same order.
    package init(sources: [String], target: String, options: [String]) {
        self.sources = sources
        key = WarmKey(["\(sources.count)"] + sources + [target] + options)
    }

    /// Returns the first line of the journal of a run that began at a time.
    func header(began: Date) -> JSONValue {
        [
            "journal": "appgroupd warm", "version": 1, "batch": .string(key.description),
            "began": .string(began.formatted(Date.ISO8601FormatStyle())),
            "sources": .array(sources.map { .string($0) }),
        ]
    }
}

/// The items that earlier runs of a batch have completed.
package struct WarmHistory: Sendable {
    /// The items that are not tried again: all items that have ended except the failed ones.
    package internal(set) var done: Set<WarmKey> = []
    /// The time at which the first run began; `nil` if the journal does not have it.
    package internal(set) var began: Date?

    package init() {}
}

extension WarmJournal {
    /// Removes journals that no run has written for a long time. Their media have probably been changed or removed.
    ///
    /// - Parameter directory: The directory of journals. Only files whose names end in `.journal` are journals.
    /// - Parameter date: Journals that were last written before this time are removed, unless a run has locked them.
    /// - Parameter path: The journal of this run.
    package static func removeOld(in directory: String, before date: Date, except path: String) {
        for name in (try? FileSystem.names(in: directory)) ?? [] where name.hasSuffix(".journal") {
            let old = "\(directory)/\(name)"
            guard old != path, let status = try? FileSystem.look(at: old), status.kind == .regular,
                status.modificationDate < date
            else { continue }
            // The lock is held until the file is removed, so that no run can begin to use it.
            guard let file = try? AppendFile.open(old) else { continue }
            try? FileSystem.remove(old)
            _ = consume file
        }
    }
}
