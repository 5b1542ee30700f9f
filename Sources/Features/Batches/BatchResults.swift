import Base
import LinuxIO
import NotificationModel

/// The results of a batch, as lines in the order in which the requests ended. A file has the lines, and the memory has
/// the last ones until they are written.
///
/// A client may read no result before it has sent its last line, so the results of a whole batch wait on the disk.
final class BatchResults: Sendable {
    private struct State {
        /// The number of bytes in the file.
        var fileBytes = 0
        /// The bytes after those in the file.
        var tail: [UInt8] = []
        var tally = BatchTally()
        /// The offset of each line whose number is a multiple of `interval`, from 0.
        var offsets = [0]
        var hasEnded = false
        /// The reader that waits for the next line; `nil` if no reader waits.
        var reader: Waiter<Void>?

        var bytes: Int { fileBytes + tail.count }

        /// Remembers the place after a line that has been counted, if it is one of those in memory.
        mutating func noteOffset() {
            if tally.lines.isMultiple(of: BatchResults.interval) { offsets.append(bytes) }
        }
    }

    /// The number of lines between two offsets in memory.
    private static let interval = 256
    /// The number of bytes in memory after which they are written.
    private static let maxTail = 256 << 10
    /// The time after which a full disk is tried again.
    private static let pause: Duration = .seconds(1)

    private let file: BatchFile
    private let clock: any RequestClock
    private let state = Guarded(State())
    /// The permit of the one task that adds lines or writes them.
    private let turn = AsyncSemaphore(permits: 1)

    init(file: BatchFile, clock: any RequestClock) { (self.file, self.clock) = (file, clock) }

    /// The number of bytes of all lines.
    var byteCount: Int { state.withLock(\.bytes) }

    var tally: BatchTally { state.withLock(\.tally) }

    /// Creates the results of a batch that has ended.
    init(ended file: BatchFile, byteCount: Int, clock: any RequestClock) {
        (self.file, self.clock) = (file, clock)
        state.withLock { state in
            state.fileBytes = byteCount
            state.hasEnded = true
        }
    }

    /// Adds a line with its end, and counts it. If the disk is full, the call waits until it has space again, or until
    /// the task is cancelled. A cancelled task adds no line.
    func append(_ line: [UInt8], _ count: @Sendable (inout BatchTally) -> Void) async {
        guard await turn.acquire() else { return }
        defer { turn.release() }
        while state.withLock({ $0.tail.count }) >= Self.maxTail {
            do throws(SystemError) {
                try await writeTail()
            } catch {
                await clock.sleep(until: clock.now.advanced(by: Self.pause))
                guard !Task.isCancelled else { return }
            }
        }
        let reader = state.withLock { state in
            state.tail += line
            count(&state.tally)
            state.noteOffset()
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    /// Ends the results. A reader then gets the rest, and its end.
    func end() {
        let reader = state.withLock { state in
            state.hasEnded = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    /// Makes all lines durable.
    ///
    /// - Returns: The number of their bytes. Lines that are added later are not durable.
    @discardableResult
    func sync() async throws(SystemError) -> Int {
        guard await turn.acquire() else { return 0 }
        defer { turn.release() }
        try await writeTail()
        try await file.sync()
        return state.withLock(\.fileBytes)
    }

    /// Writes the lines in memory to the file. The lines can be read while they are written.
    private func writeTail() async throws(SystemError) {
        let (tail, offset) = state.withLock { ($0.tail, $0.fileBytes) }
        guard !tail.isEmpty else { return }
        try await file.write(tail, at: offset)
        state.withLock { state in
            state.fileBytes += tail.count
            state.tail.removeFirst(tail.count)
        }
    }

    // MARK: Reading

    /// Returns bytes from an offset, and waits for them if no line has them yet.
    ///
    /// - Returns: `nil` at the end of the results, when the task is cancelled, or if the file cannot be read.
    func piece(from offset: Int) async -> [UInt8]? {
        while !Task.isCancelled {
            let waiter = Waiter<Void>()
            let (bytes, inFile, hasEnded) = state.withLock { state -> ([UInt8], Int, Bool) in
                let inFile = max(0, state.fileBytes - offset)
                let rest = inFile == 0 ? state.tail.dropFirst(offset - state.fileBytes) : []
                if inFile == 0, rest.isEmpty, !state.hasEnded { state.reader = waiter }
                return (Array(rest.prefix(BatchFile.pieceBytes)), inFile, state.hasEnded)
            }
            if !bytes.isEmpty { return bytes }
            if inFile > 0 { return try? await file.piece(at: offset, most: inFile) }
            if hasEnded { return nil }
            await waiter.value { $0.resume() }
        }
        return nil
    }

    /// Writes the lines up to an offset, without the first `count` lines.
    func write(after count: Int, upTo end: Int, to write: ([UInt8]) async -> Void) async {
        let (start, first) = state.withLock { state in
            let place = min(count / Self.interval, state.offsets.count - 1)
            return (state.offsets[place], place * Self.interval)
        }
        var (offset, skipped) = (start, first)
        while offset < end, let piece = await piece(from: offset)?.prefix(end - offset), !piece.isEmpty {
            offset += piece.count
            var rest = piece
            while skipped < count, let lineEnd = rest.firstIndex(of: UInt8(ascii: "\n")) {
                rest = rest[(lineEnd + 1)...]
                skipped += 1
            }
            if skipped >= count, !rest.isEmpty { await write(Array(rest)) }
        }
    }

    // MARK: The results of an earlier daemon

    /// Reads the lines that the file has. An incomplete line at its end was never read by a client, and is removed.
    ///
    /// - Returns: The numbers of the lines in the body that have a result.
    @concurrent func recover() async throws(SystemError) -> Set<Int> {
        var numbers: Set<Int> = []
        var buffer = LineBuffer(longest: .max)
        var pieces = FilePieces(file: file).makeAsyncIterator()
        while let piece = try await pieces.piece() {
            buffer.append(piece)
            while case .whole(let line)? = buffer.next() {
                let object = (try? JSONParser.value(of: line).object) ?? JSONObject()
                if let number = object["line"]?.integer { numbers.insert(number) }
                state.withLock { state in
                    state.fileBytes += line.count + 1
                    state.tally.add(line: object)
                    state.noteOffset()
                }
            }
        }
        let end = byteCount
        try await file.truncate(to: end)
        return numbers
    }
}
