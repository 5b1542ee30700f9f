package import FoundationEssentials
import JSON
package import LinuxIO
import NotificationModel

/// The file that says which items of a batch have ended: one line of JSON each, written before the item counts.
///
/// The first line names the sources and options that the file belongs to. A process that is killed leaves at most a torn
/// last line, which the next run removes. Lines are written on a thread of their own.
package actor WarmJournal {
    private nonisolated let loop: EventLoop
    private let path: String
    private let file: AppendFile
    /// Bytes that earlier runs have written.
    private var earlierBytes = 0
    private var batch: WarmBatch?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Opens the journal and locks it.
    package init(_ path: String) throws(WarmJournalError) {
        self.path = path
        do throws(FileLock.Failure) { file = try AppendFile.open(path) } catch {
            if case .held = error { throw .held }
            throw .failed("\(error)")
        }
        do throws(SystemError) { loop = try EventLoop.start(name: "agd-warm") } catch { throw .failed("\(error)") }
    }

    /// Ends the thread. Called once, after all other calls.
    package nonisolated func shutdown() { loop.shutdown() }

    /// Reads what earlier runs have written, and prepares the file for this one.
    ///
    /// - Parameter date: the time at which a new run begins.
    /// - Throws: `foreign` if the journal is to be resumed and belongs to another batch, or is no journal.
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

    /// Reads the records of items that earlier runs have done again, so that they need no memory during the run.
    package func forEachEarlier(_ body: (WarmRecord) -> Void) throws(SystemError) {
        guard earlierBytes > 0, let batch else { return }
        try withoutActuallyEscaping(body) { body throws(SystemError) in
            var reader = WarmJournalReader(batch)
            reader.observe = body
            var left = earlierBytes
            try file.forEachPiece { piece in
                reader.append(piece.prefix(left))
                left -= min(left, piece.count)
            }
            reader.observe = nil
        }
    }

    /// Reads what earlier runs have written without a lock and without a change.
    ///
    /// - Throws: as `begin`.
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

    /// Marks the journal: every item of the batch has ended.
    ///
    /// - Parameter failed: Items that have failed.
    package func end(failed: Int) throws(SystemError) {
        try file.append(line(["end": true, "failed": .number(JSONNumber(failed))]))
        try file.sync()
    }

    private func line(_ json: JSONValue) -> [UInt8] { JSONWriter.bytes(of: json) + [UInt8(ascii: "\n")] }
}

/// The use of the journal of an earlier run.
package enum WarmJournalUse: Sendable {
    /// It is continued unless the earlier run came to its end.
    case automatic
    /// It is continued unless the earlier run came to its end without failures.
    case named
    /// It is replaced.
    case anew
}

package enum WarmJournalError: Error, Sendable, Equatable {
    /// Another process writes into it.
    case held
    /// It belongs to other sources, another target or other options, or is no journal.
    case foreign
    case failed(String)
}

/// The sources and options that a journal belongs to.
package struct WarmBatch: Sendable, Equatable {
    /// The names of the sources.
    package let sources: [String]
    /// The digest of the sources, of the target and of all options that decide what is made.
    package let key: WarmKey

    /// - Parameters:
    ///   - target: The root, or the address of the daemon, where the media are made ready.
    ///   - options: In an order that is always the same.
    package init(sources: [String], target: String, options: [String]) {
        self.sources = sources
        key = WarmKey(["\(sources.count)"] + sources + [target] + options)
    }

    /// - Parameter began: the time at which the first run began.
    func header(began: Date) -> JSONValue {
        [
            "journal": "appgroupd warm", "version": 1, "batch": .string(key.description),
            "began": .string(began.formatted(Date.ISO8601FormatStyle())),
            "sources": .array(sources.map { .string($0) }),
        ]
    }
}

/// The items that earlier runs of a batch have done.
package struct WarmHistory: Sendable {
    /// Items that are not tried again: all but the failed ones.
    package internal(set) var done: Set<WarmKey> = []
    /// The time at which the first run began; `nil` if the journal does not say it.
    package internal(set) var began: Date?

    package init() {}
}
