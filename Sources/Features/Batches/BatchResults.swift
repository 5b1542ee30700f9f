import Base
import LinuxIO
import NotificationModel

/// The results of a batch, as lines in the order in which the requests ended. A file has the lines, and the memory has
/// the last ones until they are written.
///
/// A client may read no result before it has sent its last line, so results wait on the disk. A line reserves the bytes of its
/// result before it begins. Without room for them, the batch reads no further line.
final class BatchResults: Sendable {
    private struct State {
        /// The offset of the first byte in the file. Earlier bytes are forgotten.
        var start = 0
        /// The offset after the last byte in the file.
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
    /// The bytes of results on the disk, which other batches share.
    private let space: ByteShares
    private let owner: String
    private let clock: any RequestClock
    private let state = Guarded(State())
    /// The permit of the one task that adds lines or writes them.
    private let turn = AsyncSemaphore(permits: 1)

    init(file: BatchFile, in space: ByteShares, of owner: String, clock: any RequestClock) {
        (self.file, self.space, self.owner, self.clock) = (file, space, owner, clock)
    }

    /// The number of bytes of all lines.
    var byteCount: Int { state.withLock(\.bytes) }

    var tally: BatchTally { state.withLock(\.tally) }

    /// Creates the results of a batch that has ended.
    convenience init(
        ended file: BatchFile, byteCount: Int, in space: ByteShares, of owner: String, clock: any RequestClock
    ) {
        self.init(file: file, in: space, of: owner, clock: clock)
        state.withLock { state in
            state.fileBytes = byteCount
            state.hasEnded = true
        }
    }

    /// Adds a line with its end, and counts it. If the disk is full, the call waits until it has space again, or until
    /// the task is cancelled. A cancelled task adds no line.
    func append(_ line: [UInt8], _ count: @Sendable (inout BatchTally) -> Void) async {
        guard await turn.acquire() else { return }
        while state.withLock({ $0.tail.count }) >= Self.maxTail {
            do throws(SystemError) {
                try await writeTail()
            } catch {
                // The reader goes on meanwhile, and may make room.
                turn.release()
                await clock.sleep(until: clock.now.advanced(by: Self.pause))
                guard !Task.isCancelled, await turn.acquire() else { return }
            }
        }
        defer { turn.release() }
        space.add(line.count, by: owner)
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
        let (tail, offset, start) = state.withLock { ($0.tail, $0.fileBytes, $0.start) }
        guard !tail.isEmpty else { return }
        try await file.write(tail, at: offset - start)
        state.withLock { state in
            state.fileBytes += tail.count
            state.tail.removeFirst(tail.count)
        }
    }

    // MARK: Room for lines

    /// Waits until the space has room for the result of a line, and reserves it.
    ///
    /// - Parameter whenFull: A function that is called before each wait.
    /// - Returns: `false` if the task is cancelled or the event is signalled.
    func reserve(_ byteCount: Int, unless stop: AsyncEvent, whenFull: () -> Void) async -> Bool {
        await space.takeWhenFree(byteCount, by: owner, unless: stop) {
            whenFull()
            // Many batches can wait for a long time, so none of them keeps lines in memory.
            _ = try? await flush()
        }
    }

    /// Releases the reservation of a line. A result that was added has taken its own bytes.
    func unreserve(_ byteCount: Int) { space.release(byteCount, by: owner) }

    private func flush() async throws(SystemError) {
        guard await turn.acquire() else { return }
        defer { turn.release() }
        try await writeTail()
    }

    /// Forgets the bytes before an offset, which the only reader has. The file is emptied when the reader has all of it.
    func forget(upTo offset: Int) async {
        guard state.withLock({ offset > $0.start && offset >= $0.fileBytes }), await turn.acquire() else { return }
        defer { turn.release() }
        let (inFile, isRead) = state.withLock { ($0.fileBytes - $0.start, offset >= $0.fileBytes) }
        guard isRead else { return }
        if inFile > 0 { guard (try? await file.truncate(to: 0)) != nil else { return } }
        let freed = state.withLock { state in
            state.tail.removeFirst(offset - state.fileBytes)
            defer { (state.start, state.fileBytes) = (offset, offset) }
            return offset - state.start
        }
        space.release(freed, by: owner)
    }

    /// Releases the space of all lines that were not forgotten. The file is removed by its last user.
    func discard() { space.release(state.withLock { $0.bytes - $0.start }, by: owner) }

    // MARK: Reading

    /// Returns bytes from an offset, and waits for them if no line has them yet.
    ///
    /// - Returns: `nil` at the end of the results, when the task is cancelled, or if the file cannot be read.
    func piece(from offset: Int) async -> [UInt8]? {
        while !Task.isCancelled {
            let waiter = Waiter<Void>()
            let (bytes, inFile, start, hasEnded) = state.withLock { state -> ([UInt8], Int, Int, Bool) in
                let inFile = max(0, state.fileBytes - offset)
                let rest = inFile == 0 ? state.tail.dropFirst(offset - state.fileBytes) : []
                if inFile == 0, rest.isEmpty, !state.hasEnded { state.reader = waiter }
                return (Array(rest.prefix(BatchFile.pieceBytes)), inFile, state.start, state.hasEnded)
            }
            if !bytes.isEmpty { return bytes }
            if inFile > 0 { return try? await file.piece(at: offset - start, most: inFile) }
            if hasEnded { return nil }
            await waiter.value { $0.resume() }
        }
        return nil
    }

    /// Writes the lines up to an offset, without the first `count` lines.
    ///
    /// - Returns: `false` if the file was removed meanwhile, or cannot be read.
    func write(after count: Int, upTo end: Int, to write: ([UInt8]) async -> Void) async -> Bool {
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
        return offset >= end
    }

    // MARK: The results of an earlier daemon

    /// Reads the lines that the file has. An incomplete line at its end was never read by a client, and is removed.
    ///
    /// - Returns: The numbers of the lines in the body that have a result.
    @concurrent func recover() async throws(SystemError) -> Set<Int> {
        var numbers: Set<Int> = []
        var buffer = LineBuffer(maxLength: .max)
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
        space.release(try await file.byteCount() - end, by: owner)
        try await file.truncate(to: end)
        return numbers
    }
}
