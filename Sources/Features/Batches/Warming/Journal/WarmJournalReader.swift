import Base
import FoundationEssentials

/// A reader that parses a journal which arrives in pieces.
struct WarmJournalReader {
    private let batch: WarmBatch
    private var rest: [UInt8] = []
    private(set) var history = WarmHistory()
    private var failed: Set<WarmKey> = []
    /// The size of the complete lines, in bytes.
    private(set) var wholeBytes = 0
    /// Whether the first line names the batch.
    private var isOfBatch = false
    /// Whether the last line marks the end of a run.
    private var hasEnded = false

    init(_ batch: WarmBatch) { self.batch = batch }

    /// Returns whether the run continues this journal. Throws `foreign` if the named file does not belong to the batch.
    func isContinued(_ use: WarmJournalUse) throws(WarmJournalError) -> Bool {
        let isEmpty = wholeBytes == 0 && rest.isEmpty
        switch use {
        case .anew: return false
        case .automatic: return isOfBatch && !hasEnded
        case .named:
            guard isOfBatch || isEmpty else { throw .foreign }
            return isOfBatch && !(hasEnded && failed.isEmpty)
        }
    }

    /// Reads the lines that are complete now, and calls a function with the record of each completed item.
    mutating func append(_ bytes: ArraySlice<UInt8>, _ observe: (WarmRecord) -> Void = { _ in }) {
        rest += bytes
        var start = 0
        while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
            read(Array(rest[start..<end]), isFirst: wholeBytes == 0, observe)
            wholeBytes += end + 1 - start
            start = end + 1
        }
        rest.removeFirst(start)
    }

    /// Reads a line. A malformed line is ignored, and its item is tried again.
    private mutating func read(_ line: [UInt8], isFirst: Bool, _ observe: (WarmRecord) -> Void) {
        guard let json = try? JSONParser.value(of: line) else { return }
        if isFirst {
            history.began = json["began"]?.string.flatMap { try? Date($0, strategy: Date.ISO8601FormatStyle()) }
            isOfBatch = json["journal"] == "appgroupd warm" && json["batch"]?.string == batch.key.description
            return
        }
        let record = WarmRecord(json)
        hasEnded = record == nil && json["end"] == true
        guard let record else { return }
        if record.result == .failed {
            failed.insert(record.key)
        } else {
            failed.remove(record.key)
            history.done.insert(record.key)
            observe(record)
        }
    }
}
