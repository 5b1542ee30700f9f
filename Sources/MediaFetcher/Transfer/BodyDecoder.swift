import CZlib
import NotificationModel

/// A decoder for the content encoding of a body, which decodes while the body arrives.
///
/// The decoder of libcurl refuses a response whose encoding it does not support, and reads only the first member of a
/// gzip file. This decoder holds up to 40 KiB.
@safe final class BodyDecoder {
    enum Coding {
        case gzip
        /// The format of zlib, or raw Deflate. Origins send both under this name (RFC 9110 §8.4.1.2).
        case deflate
    }

    /// A fault of an encoding that lost none of the decoded bytes.
    enum Fault {
        /// The checksum or the length after the encoded bytes is that of other bytes.
        case wrongTrailer
        case missingTrailer
        /// `Content-Length` has the number of decoded bytes.
        case decodedLength
    }

    private enum Progress {
        case notBegun
        /// The bytes are not encoded, although the header names an encoding.
        case plain
        case inflating
        /// A member of a gzip file has ended with the last byte that has arrived.
        case betweenMembers
        /// The last member of a gzip file has ended. All further bytes are ignored.
        case ended
    }

    private static let windowBits: Int32 = 15
    /// The number that is added to the window size for the format of gzip (zlib.h, inflateInit2).
    private static let gzipFormat: Int32 = 16
    private static let bufferBytes = 32_768
    private static let gzipMagic: UInt8 = 0x1F

    private let coding: Coding
    private(set) var fault: Fault?
    /// The number of decoded bytes.
    private var decodedBytes = 0
    /// Whether the format has a checksum after the last block. Raw Deflate has none.
    private var hasTrailer = true
    private var progress = Progress.notBegun
    /// The state of zlib. The state is allocated, because zlib stores its address.
    private let stream: UnsafeMutablePointer<z_stream>

    init(_ coding: Coding) {
        self.coding = coding
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Whether the body may end here.
    var isWhole: Bool { [.plain, .betweenMembers, .ended].contains(progress) }

    /// Decodes the next bytes of the body. `take` receives decoded bytes as long as there are any and it returns
    /// `proceed`. Throws `unsupported-media` for bytes that are not in the encoding.
    func decode(
        _ bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> TransferState.Verdict
    ) throws(MediaFailure) -> TransferState.Verdict {
        guard let first = unsafe bytes.first else { return .proceed }
        if progress == .notBegun { try begin(with: first) }
        if progress == .betweenMembers {
            progress = unsafe first == Self.gzipMagic && inflateReset(stream) == Z_OK ? .inflating : .ended
        }
        switch progress {
        case .plain: return unsafe take(bytes)
        case .betweenMembers, .ended: return .proceed
        case .notBegun, .inflating: return try unsafe inflated(bytes, take)
        }
    }

    private func begin(with first: UInt8) throws(MediaFailure) {
        let bits: Int32
        switch coding {
        case .gzip:
            guard first == Self.gzipMagic else {
                progress = .plain
                return
            }
            bits = Self.windowBits + Self.gzipFormat
        // The first byte of the zlib format has the method and the window size (RFC 1950 §2.2). Any other byte begins
        // raw Deflate.
        case .deflate: bits = first & 15 == 8 && first >> 4 <= 7 ? Self.windowBits : -Self.windowBits
        }
        hasTrailer = bits > 0
        guard unsafe agd_inflate_init_window(stream, bits) == Z_OK else {
            throw MediaFailure(.internal, "there is not enough memory to decode the body")
        }
        progress = .inflating
    }

    private func inflated(
        _ bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> TransferState.Verdict
    ) throws(MediaFailure) -> TransferState.Verdict {
        unsafe stream.pointee.next_in = UnsafeMutablePointer(
            mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
        unsafe stream.pointee.avail_in = UInt32(clamping: bytes.count)
        let result = unsafe withUnsafeTemporaryAllocation(byteCount: Self.bufferBytes, alignment: 16) { buffer in
            unsafe inflateAll(into: buffer, take)
        }
        return try result.get()
    }

    private func inflateAll(
        into buffer: UnsafeMutableRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> TransferState.Verdict
    ) -> Result<TransferState.Verdict, MediaFailure> {
        while progress == .inflating {
            unsafe stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
            unsafe stream.pointee.avail_out = UInt32(clamping: buffer.count)
            let status = unsafe inflate(stream, Z_NO_FLUSH)
            let made = unsafe buffer.count - Int(stream.pointee.avail_out)
            decodedBytes += made
            if made > 0, unsafe take(UnsafeRawBufferPointer(rebasing: buffer[..<made])) == .abort {
                return .success(.abort)
            }
            switch status {
            case Z_OK:
                // If there is space left in the output, zlib has read all input.
                if unsafe stream.pointee.avail_in == 0, made < buffer.count { return .success(.proceed) }
            // zlib has nothing left to read or to write.
            case Z_BUF_ERROR: return .success(.proceed)
            case Z_STREAM_END: beginNextMember()
            case Z_MEM_ERROR: return .failure(MediaFailure(.internal, "there is not enough memory to decode the body"))
            case _ where unsafe Self.hasWrongTrailer(stream): (progress, fault) = (.ended, .wrongTrailer)
            default: return .failure(MediaFailure(.unsupportedMedia, "the body is not in its content encoding"))
            }
        }
        return .success(.proceed)
    }

    /// Continues with the next member of a gzip file (RFC 1952 §2.2). Other bytes after a member are ignored.
    private func beginNextMember() {
        guard coding == .gzip else {
            progress = .ended
            return
        }
        guard unsafe stream.pointee.avail_in > 0 else {
            progress = .betweenMembers
            return
        }
        let isMember = unsafe stream.pointee.next_in[0] == Self.gzipMagic
        if unsafe !isMember || inflateReset(stream) != Z_OK { progress = .ended }
    }

    // MARK: Faults

    /// Returns whether zlib has refused the bytes after the last block (inflate.c, CHECK and LENGTH).
    private static func hasWrongTrailer(_ stream: UnsafeMutablePointer<z_stream>) -> Bool {
        guard let message = unsafe stream.pointee.msg else { return false }
        return unsafe ["incorrect data check", "incorrect length check"].contains(String(cString: message))
    }

    /// Notes that only the trailer is missing or incomplete, and returns whether this is so.
    ///
    /// zlib does not report the end of the last block. So a copy of its state gets 8 further bytes, which it takes for the
    /// trailer only after the last block: it then refuses or accepts the trailer, without another decoded byte. Within a
    /// block, some bytes may end the block by chance, but not both of two different ones.
    func noteMissingTrailer() -> Bool {
        guard progress == .inflating, hasTrailer, decodedBytes > 0, [0x00, 0xFF].allSatisfy(takesForTrailer) else {
            return false
        }
        (progress, fault) = (.ended, .missingTrailer)
        return true
    }

    private func takesForTrailer(_ byte: UInt8) -> Bool {
        let copy = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe copy.initialize(to: z_stream())
        defer { unsafe copy.deallocate() }
        guard unsafe inflateCopy(copy, stream) == Z_OK else { return false }
        defer { unsafe inflateEnd(copy) }
        var input = [UInt8](repeating: byte, count: 8)
        var output = [UInt8](repeating: 0, count: 64)
        return unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe copy.pointee.next_in = input.baseAddress
                unsafe copy.pointee.avail_in = UInt32(input.count)
                unsafe copy.pointee.next_out = output.baseAddress
                unsafe copy.pointee.avail_out = UInt32(output.count)
                let status = unsafe inflate(copy, Z_NO_FLUSH)
                return unsafe copy.pointee.avail_out == UInt32(output.count)
                    && (status == Z_STREAM_END || status == Z_DATA_ERROR && Self.hasWrongTrailer(copy))
            }
        }
    }

    /// Notes that the encoded body has ended, although fewer bytes than the announced ones have arrived, because the
    /// announced length is that of the decoded bytes. Returns whether this is so.
    func noteDecodedLength(_ announced: Int?, encodedBytes: Int) -> Bool {
        guard let announced, progress == .betweenMembers || progress == .ended, decodedBytes == announced,
            encodedBytes < announced
        else { return false }
        fault = fault ?? .decodedLength
        return true
    }
}

extension BodyDecoder.Fault {
    /// The failure of the transfer, if the decoded bytes are not a whole file.
    var failure: MediaFailure {
        switch self {
        case .wrongTrailer:
            MediaFailure(.unsupportedMedia, "the content encoding of the response has a wrong checksum or length")
        case .missingTrailer:
            MediaFailure(.truncated, "the content encoding of the response has no checksum at its end")
        case .decodedLength:
            MediaFailure(.truncated, "the Content-Length of the response is that of the decoded bytes")
        }
    }
}
