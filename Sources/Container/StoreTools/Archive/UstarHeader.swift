import Base
import CZlib

/// The header of a regular file in a ustar archive (POSIX.1, pax, "ustar Interchange Format").
///
/// A name, a size and fixed values make the header, so equal files have equal headers.
package enum UstarHeader {
    package static let blockSize = 512
    /// The maximum length of a name, in bytes.
    package static let maxName = 100

    /// Returns the header of a file that only its owner can read and write.
    ///
    /// - Parameter byteCount: The size of the file, less than 8 GiB, which has eleven octal digits.
    package static func bytes(name: String, byteCount: Int) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: blockSize)
        func put(_ text: String, at offset: Int) {
            header.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
        }
        put(name, at: 0)
        put("0000600", at: 100)
        put("0000000", at: 108)
        put("0000000", at: 116)
        put(String(byteCount, radix: 8).padded(to: 11), at: 124)
        put("00000000000", at: 136)
        put("        ", at: 148)
        put("0", at: 156)
        put("ustar\u{0}00", at: 257)
        put("0000000", at: 329)
        put("0000000", at: 337)
        let sum = header.reduce(0) { $0 + Int($1) }
        put(String(sum, radix: 8).padded(to: 6) + "\u{0} ", at: 148)
        return header
    }

    /// Returns the number of zero bytes after the bytes of a file, up to a full block.
    package static func padding(after byteCount: Int) -> Int { (blockSize - byteCount % blockSize) % blockSize }

    /// Returns an archive of files in memory, each with a name of at most `maxName` bytes.
    package static func archive(of files: [(name: String, bytes: [UInt8])]) -> [UInt8] {
        var archive: [UInt8] = []
        for (name, bytes) in files {
            precondition(name.utf8.count <= maxName, "the name is too long for a ustar header")
            archive += Self.bytes(name: name, byteCount: bytes.count) + bytes
            archive += [UInt8](repeating: 0, count: padding(after: bytes.count))
        }
        // Two blocks of zeros end an archive.
        return archive + [UInt8](repeating: 0, count: 2 * blockSize)
    }
}

/// The compression of a file in memory in the format of gzip (RFC 1952).
package enum Gzip {
    /// Returns the compressed bytes; `nil` if zlib has no memory.
    package static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        // zlib stores the address of its state.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        guard agd_deflate_init_gzip(stream) == Z_OK else { return nil }
        defer { deflateEnd(stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: Int(deflateBound(stream, uLong(bytes.count))))
        let status = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.pointee.next_in = input.baseAddress
                stream.pointee.avail_in = uInt(input.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = uInt(output.count)
                return deflate(stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END else { return nil }
        output.removeLast(Int(stream.pointee.avail_out))
        return output
    }
}
