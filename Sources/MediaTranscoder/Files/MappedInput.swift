import CFFmpeg
import Glibc
import MediaHeaders
import TranscodeProtocol

/// Owns the input, mapped read-only and followed by the zero bytes that FFmpeg's bit readers may run into.
///
/// The descriptor is not closed and its offset not used. A file that shrinks while it is mapped kills the worker
/// (SIGBUS); the daemon hands over files that nobody writes any more.
@safe
struct MappedInput: ~Copyable {
    /// The most that one packet can hold.
    static let mostBytes = Int(Int32.max) - Int(AV_INPUT_BUFFER_PADDING_SIZE)

    let base: UnsafeMutablePointer<UInt8>
    let count: Int
    private let mappedBytes: Int

    private init(base: UnsafeMutablePointer<UInt8>, count: Int, mappedBytes: Int) {
        unsafe self.base = base
        self.count = count
        self.mappedBytes = mappedBytes
    }

    deinit {
        unsafe munmap(base, mappedBytes)
    }

    /// Maps the whole file behind a descriptor that is open for reading.
    ///
    /// - Throws: `corrupt` when it is empty, `tooLarge` beyond `mostBytes`, `internalFault` when it cannot be mapped.
    static func map(_ descriptor: Int32) throws(TranscodeFailure) -> MappedInput {
        let size = lseek(descriptor, 0, SEEK_END)
        guard size >= 0 else { throw TranscodeFailure(.internalFault, "input has no size (errno \(errno))") }
        guard size > 0 else { throw TranscodeFailure(.corrupt, "the input is empty") }
        guard size <= mostBytes else { throw TranscodeFailure(.tooLarge, "the input is larger than 2 GiB") }
        let page = 4_096
        let mappedBytes = (size + Int(AV_INPUT_BUFFER_PADDING_SIZE) + page - 1) / page * page
        // The zero pages come first and the file is laid over their front, so that the padding is there at any size.
        let room = unsafe mmap(nil, mappedBytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let room = unsafe room, unsafe room != MAP_FAILED else {
            throw FFmpegStatus.noMemory("mapping the input")
        }
        let mapped = unsafe mmap(room, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, descriptor, 0)
        guard unsafe mapped == room else {
            let code = errno
            unsafe munmap(room, mappedBytes)
            throw TranscodeFailure(.internalFault, "mapping the input (errno \(code))")
        }
        return unsafe MappedInput(base: room.assumingMemoryBound(to: UInt8.self), count: size, mappedBytes: mappedBytes)
    }

    /// Returns the input with the screen of a GIF (`GIFScreen`) corrected, in memory then; all else as it is.
    ///
    /// - Throws: `internalFault` when there is no memory for it.
    consuming func corrected(as format: SourceFormat) throws(TranscodeFailure) -> MappedInput {
        guard format == .gif, let correction = withBytes({ GIFScreen.correction(of: $0) }) else { return self }
        let room = unsafe mmap(nil, mappedBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let room = unsafe room, unsafe room != MAP_FAILED else { throw FFmpegStatus.noMemory("a corrected file") }
        let copy = unsafe room.assumingMemoryBound(to: UInt8.self)
        unsafe copy.update(from: base, count: count)
        for (index, byte) in correction.enumerated() { unsafe copy[GIFScreen.offset + index] = byte }
        return unsafe MappedInput(base: copy, count: count, mappedBytes: mappedBytes)
    }

    /// Lends the bytes.
    func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(unsafe Span(_unsafeStart: base, count: count))
    }
}
