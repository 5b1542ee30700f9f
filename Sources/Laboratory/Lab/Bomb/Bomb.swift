extension Bomb {
    /// The decoded size of `/bomb/gzip`, `/bomb/br` and `/bomb/zstd`, in bytes: 1 GiB.
    package static let decodedSize = 1 << 30
    /// The width and height of `/bomb/png`. These sizes are nearly the largest that FFmpeg's check of an image's size
    /// accepts (`av_image_check_size`, 268 million pixels with a margin). The gigabyte therefore reaches the decoder.
    package static let pngSide = 16_000

    /// The bytes of the body. Each call creates them.
    package var content: [UInt8] {
        switch self {
        case .gzip: Self.gzipMember(inflatingTo: Self.decodedSize)
        case .br: BrotliZeros.stream(blocks: Self.decodedSize / BrotliZeros.blockSize)
        case .zstd: Self.zstdFrame(blocks: Self.decodedSize / Self.zstdBlockSize)
        case .png: Self.transparentPNG(side: Self.pngSide)
        }
    }

    /// Returns one gzip member (RFC 1952) of `count` zeros. libcurl would inflate only the first of several members.
    package static func gzipMember(inflatingTo count: Int) -> [UInt8] {
        var checksum = CRC32()
        checksum.feed(zeros: count)
        var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]  // deflate, no name, no time, unknown system
        bytes += DeflatedZeros.stream(inflatingTo: count)
        bytes += checksum.value.littleEndianBytes
        bytes += UInt32(truncatingIfNeeded: count).littleEndianBytes
        return bytes
    }

    /// The largest block that a zstd frame may have (RFC 8878, section 3.1.1.2.4), in bytes.
    private static let zstdBlockSize = 128 << 10

    /// Returns one zstd frame of zeros, with four bytes a block. Its window of 128 MiB is libzstd's default maximum.
    static func zstdFrame(blocks: Int) -> [UInt8] {
        // The frame has no content size and no checksum. The upper five bits are the window's logarithm, minus ten.
        var frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0, (27 - 10) << 3]
        for block in 1...blocks {
            let isLast: UInt32 = block == blocks ? 1 : 0
            let kind: UInt32 = 1  // one byte, repeated
            frame += (UInt32(zstdBlockSize) << 3 | kind << 1 | isLast).littleEndianBytes.prefix(3) + [0]
        }
        return frame
    }

    /// Returns a square PNG of 8-bit RGBA in which all bytes are zero.
    package static func transparentPNG(side: Int) -> [UInt8] {
        let size = UInt32(truncatingIfNeeded: side).bigEndianBytes
        let raw = side * (1 + 4 * side)  // each row has a filter byte before its pixels
        // In the Adler-32 of zeros (RFC 1950), one sum stays 1 and the other counts the bytes.
        let adler = UInt32(raw % 65_521) << 16 | 1
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        bytes += pngChunk("IHDR", size + size + [8, 6, 0, 0, 0])
        bytes += pngChunk("IDAT", [0x78, 0xDA] + DeflatedZeros.stream(inflatingTo: raw) + adler.bigEndianBytes)
        bytes += pngChunk("IEND", [])
        return bytes
    }

    private static func pngChunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        var checksum = CRC32()
        checksum.feed(type.utf8)
        checksum.feed(content)
        return UInt32(content.count).bigEndianBytes + Array(type.utf8) + content + checksum.value.bigEndianBytes
    }
}

/// A body that is small when it is transferred, and large when it is decoded.
package enum Bomb: String, Sendable, Equatable, CaseIterable {
    /// A body with `Content-Encoding: gzip` of 1 MiB, which inflates to 1 GiB of zeros.
    case gzip
    /// A body with `Content-Encoding: br` of 817 bytes, which inflates to 1 GiB of zeros with a window of 16 MiB.
    case br
    /// A body with `Content-Encoding: zstd` of 32 KiB, which inflates to 1 GiB of zeros with a window of 128 MiB.
    case zstd
    /// A well-formed PNG of 1 MB, which decodes to 1 GB of transparent pixels.
    case png

    /// The content coding that the response declares; `nil` if it declares no coding.
    var coding: ContentCoding? { ContentCoding(rawValue: rawValue) }
}
