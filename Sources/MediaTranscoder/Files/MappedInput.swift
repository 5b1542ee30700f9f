import CFFmpeg
import Glibc
import MediaHeaders
import MediaTypes
import TranscodeProtocol

/// The owner of the input, which is mapped read-only. Zero bytes follow it, because FFmpeg's bit readers may overrun.
///
/// The descriptor is not closed and its offset is not used. A file that shrinks while it is mapped kills the worker
/// with SIGBUS. The daemon therefore passes only files that no process writes any more.
@safe
struct MappedInput: ~Copyable {
    /// The largest size of the input, in bytes, which is the most that one packet can hold.
    static let mostBytes = Int(Int32.max) - Int(AV_INPUT_BUFFER_PADDING_SIZE)

    let base: UnsafeMutablePointer<UInt8>
    let count: Int
    private let mappedBytes: Int

    deinit { unsafe munmap(base, mappedBytes) }

    /// Maps the whole file of a descriptor that is open for reading.
    ///
    /// - Throws: `corrupt` if the file is empty. `tooLarge` if it has more than `mostBytes`. `tooManyPixels` if there
    ///   is no memory. `internalFault` if it cannot be mapped.
    static func map(_ descriptor: Int32) throws(TranscodeFailure) -> MappedInput {
        let size = lseek(descriptor, 0, SEEK_END)
        guard size >= 0 else { throw .internalFault("input has no size (errno \(errno))") }
        guard size > 0 else { throw .corrupt("the input is empty") }
        guard size <= mostBytes else { throw .tooLarge("the input is larger than 2 GiB") }
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
