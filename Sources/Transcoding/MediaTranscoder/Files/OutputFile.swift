import CFFmpeg
import Glibc
import TranscodeProtocol

/// An output file with a size limit. The file is emptied before anything is written. Its descriptor is not closed.
@safe
final class OutputFile: CallbackFile {
    private enum Fault {
        case tooLarge
        case system(Int32)
    }

    let descriptor: Int32
    private let maxBytes: Int64
    private var end: Int64 = 0
    private var fault: Fault?

    override var byteCount: Int64 { end }

    /// Empties the output file.
    ///
    /// - Throws: `storage` if the file cannot be emptied.
    init(_ descriptor: Int32, maxBytes: UInt64) throws(TranscodeFailure) {
        self.descriptor = descriptor
        self.maxBytes = Int64(clamping: maxBytes)
        guard ftruncate(descriptor, 0) == 0 else { throw .storage("emptying an output (errno \(errno))") }
    }

    /// Writes at the offset, and stores a fault for `checkWrites`.
    override func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        guard offset <= maxBytes, Int64(bytes.count) <= maxBytes - offset else {
            fault = fault ?? .tooLarge
            return agd_averror(EFBIG)
        }
        var done = 0
        while done < bytes.count {
            let wrote = unsafe pwrite(
                descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done, Int(offset))
            guard wrote > 0 else {
                if wrote < 0, errno == EINTR { continue }
                fault = fault ?? .system(wrote < 0 ? errno : ENOSPC)
                return agd_averror(EIO)
            }
            done += wrote
            offset += Int64(wrote)
        }
        end = max(end, offset)
        return Int32(clamping: bytes.count)
    }

    /// Writes a finished image.
    func write(_ bytes: Span<UInt8>) throws(TranscodeFailure) {
        _ = unsafe bytes.withUnsafeBytes { unsafe write($0) }
        try checkWrites()
    }

    /// Whether a write exceeded the limit of bytes.
    var isTooLarge: Bool { if case .tooLarge = fault { true } else { false } }

    /// Throws the fault of an earlier write, even if FFmpeg ignored it.
    ///
    /// - Throws: `tooLarge` or `storage`.
    func checkWrites() throws(TranscodeFailure) {
        switch fault {
        case nil: return
        case .tooLarge: throw .tooLarge("the rendition needs more than \(maxBytes) bytes")
        case .system(let code): throw .storage("writing an output (errno \(code))")
        }
    }
}

/// A reader of an output file's contents, with its own offset.
@safe
final class OutputReader: CallbackFile {
    private let output: OutputFile

    override var byteCount: Int64 { output.byteCount }

    init(_ output: OutputFile) { self.output = output }

    override func read(into buffer: UnsafeMutablePointer<UInt8>, atMost size: Int) -> Int32 {
        var got = -1
        repeat { got = unsafe pread(output.descriptor, buffer, size, Int(offset)) } while got < 0 && errno == EINTR
        guard got > 0 else { return got == 0 ? agd_averror_eof : agd_averror(EIO) }
        offset += Int64(got)
        return Int32(clamping: got)
    }
}
