import Base
import CFFmpeg
import Glibc
import MediaHeaders
import TranscodeProtocol

/// The owner of the input, which is mapped read-only. Zero bytes follow it, because FFmpeg's bit readers may overrun.
///
/// The descriptor is not closed and its offset is not used. A file that shrinks while it is mapped kills the worker
/// with SIGBUS. The daemon therefore passes only files that no process writes any more.
@safe
struct MappedInput: ~Copyable {
    /// The largest size of the input, in bytes, which is the most that one packet can hold.
    static let maxBytes = Int(Int32.max) - Int(AV_INPUT_BUFFER_PADDING_SIZE)

    let base: UnsafeMutablePointer<UInt8>
    let count: Int
    private let mappedBytes: Int

    deinit { unsafe munmap(base, mappedBytes) }

    /// Maps the whole file of a descriptor that is open for reading.
    ///
    /// - Throws: `corrupt` if the file is empty. `tooLarge` if it has more than `maxBytes`. `tooManyPixels` if there
    ///   is no memory. `internalFault` if it cannot be mapped.
    static func map(_ descriptor: Int32) throws(TranscodeFailure) -> MappedInput {
        let size = lseek(descriptor, 0, SEEK_END)
        guard size >= 0 else { throw .internalFault("input has no size (errno \(errno))") }
        guard size > 0 else { throw .corrupt("the input is empty") }
        guard size <= maxBytes else { throw .tooLarge("the input is larger than 2 GiB") }
        let page = 4_096
        let mappedBytes = (size + Int(AV_INPUT_BUFFER_PADDING_SIZE) + page - 1) / page * page
        // The file replaces the beginning of zero pages that are mapped first, so the padding exists for any size.
        let buffer = unsafe mmap(nil, mappedBytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let buffer = unsafe buffer, unsafe buffer != MAP_FAILED else { throw .noMemory("mapping the input") }
        let mapped = unsafe mmap(buffer, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, descriptor, 0)
        guard unsafe mapped == buffer else {
            let code = errno
            unsafe munmap(buffer, mappedBytes)
            throw .internalFault("mapping the input (errno \(code))")
        }
        return unsafe MappedInput(
            base: buffer.assumingMemoryBound(to: UInt8.self), count: size, mappedBytes: mappedBytes)
    }

    /// Returns a copy of the input with the corrected screen of a GIF (`GIFScreen`). Any other input stays.
    ///
    /// - Throws: `tooManyPixels` if there is no memory for the copy.
    consuming func corrected(as format: MediaFormat) throws(TranscodeFailure) -> MappedInput {
        guard format == .gif, let correction = withBytes({ GIFScreen.correction(of: $0) }) else { return self }
        let buffer = unsafe mmap(nil, mappedBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let buffer = unsafe buffer, unsafe buffer != MAP_FAILED else { throw .noMemory("a corrected file") }
        let copy = unsafe buffer.assumingMemoryBound(to: UInt8.self)
        unsafe copy.update(from: base, count: count)
        for (index, byte) in correction.enumerated() { unsafe copy[GIFScreen.offset + index] = byte }
        return unsafe MappedInput(base: copy, count: count, mappedBytes: mappedBytes)
    }

    /// Lends the bytes of the input.
    func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(unsafe Span(_unsafeStart: base, count: count))
    }
}

/// A demuxer's position in the mapped input. The cursor must not outlive the mapping.
@safe
final class InputCursor: CallbackFile {
    private let base: UnsafePointer<UInt8>
    private let count: Int

    override var byteCount: Int64 { Int64(count) }
    override var maxOffset: Int64 { Int64(count) }

    /// Creates a cursor at the start of the input.
    ///
    /// - Parameter end: The number of bytes that can be read; `nil` means all bytes.
    init(_ input: borrowing MappedInput, upTo end: Int? = nil) {
        unsafe base = UnsafePointer(input.base)
        count = min(input.count, max(0, end ?? input.count))
    }

    override func read(into buffer: UnsafeMutablePointer<UInt8>, atMost size: Int) -> Int32 {
        let length = min(size, count - Int(offset))
        guard length > 0 else { return agd_averror_eof }
        unsafe buffer.update(from: base + Int(offset), count: length)
        offset += Int64(length)
        return Int32(clamping: length)
    }
}

/// The checks of a container's headers, before a demuxer reads them.
extension MappedInput {
    /// Checks the headers of a container.
    ///
    /// - Throws: `tooLarge` for tables of more frames than a worker can hold. `unsupported` for a compressed header and
    ///   for encrypted sound. `corrupt` for a sound that is shorter than its header states.
    func checkContainer(as format: MediaFormat) throws(TranscodeFailure) {
        do throws(MediaHeaderError) {
            try withBytes { bytes throws(MediaHeaderError) in
                switch format.container {
                case .mp4: try MP4Walk.check(bytes)
                case .asf: try ASFHeader.check(bytes)
                case .au: try AUHeader.check(bytes)
                case .caf: _ = try CAFHeader(bytes)
                default: break
                }
            }
        } catch {
            switch error {
            case .excessive: throw .tooLarge(error.detail)
            case .unsupported: throw .unsupported(error.detail)
            case .wrongFormat, .truncated, .malformed: throw .corrupt(error.detail)
            }
        }
    }

    /// Returns whether the file ends within a packet, in formats whose demuxer does not report it.
    func endsEarly(as format: MediaFormat) -> Bool {
        withBytes { bytes in
            switch format.container {
            case .matroska: VideoEnd.isMissing(inMatroska: bytes)
            case .mpegTS: VideoEnd.isMissing(inTransportStream: bytes)
            default: false
            }
        }
    }

    /// Returns whether the header does not state the end of the sound. The last packet of such a sound may be short.
    func hasOpenEnd(as format: MediaFormat) -> Bool {
        withBytes { bytes in
            switch format {
            case .wav: WAVLength.isUnknown(in: bytes)
            case .caf: (try? CAFHeader(bytes))?.isLengthUnknown == true
            default: false
            }
        }
    }
}
