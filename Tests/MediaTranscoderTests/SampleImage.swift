import CFFmpeg
import TranscodeProtocol

@testable import MediaTranscoder

/// The small images of the tests, which the transcoder's encoders write.
enum SampleImage {
    /// The luma of the four quarters: top left, top right, bottom left and bottom right.
    static let quarters: [UInt8] = [20, 90, 160, 230]

    /// Returns a JPEG in shades of gray whose quarters differ.
    static func jpeg(width: Int, height: Int) throws -> [UInt8] {
        let frame = try Frame.allocate(width: width, height: height, format: AV_PIX_FMT_YUVJ420P)
        let stride = frame.stride(0)
        frame.withMutablePlane(0) { plane in
            for row in 0..<height {
                for column in 0..<width {
                    plane[row * stride + column] = quarters[(row * 2 / height) * 2 + column * 2 / width]
                }
            }
        }
        for index in 1...2 {
            frame.withMutablePlane(index) { plane in
                for offset in plane.indices { plane[offset] = 128 }
            }
        }
        return bytes(try ImageEncoding.jpeg(ScaledImage(frame: frame), quality: 85))
    }

    /// Returns a JPEG of one color, given as luma and both chroma values.
    static func jpeg(width: Int, height: Int, color: [UInt8]) throws -> [UInt8] {
        let frame = try Frame.allocate(width: width, height: height, format: AV_PIX_FMT_YUVJ420P)
        for (plane, value) in color.enumerated() {
            frame.withMutablePlane(plane) { bytes in
                for offset in bytes.indices { bytes[offset] = value }
            }
        }
        return bytes(try ImageEncoding.jpeg(ScaledImage(frame: frame), quality: 85))
    }

    /// Returns a JPEG with an EXIF orientation, which is inserted after its first marker.
    static func jpeg(width: Int, height: Int, orientation: UInt8) throws -> [UInt8] {
        var bytes = try jpeg(width: width, height: height)
        let exif =
            Array("Exif\0\0II".utf8)
            + [42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]
        bytes.insert(contentsOf: [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif, at: 2)
        return bytes
    }

    /// Returns a PNG with transparent black in the left half and opaque red in the right half.
    static func halfTransparentPNG(width: Int, height: Int) throws -> [UInt8] {
        let frame = try Frame.allocate(width: width, height: height, format: AV_PIX_FMT_GBRAP)
        for index in 0..<4 {
            let stride = frame.stride(index)
            frame.withMutablePlane(index) { plane in
                for row in 0..<height {
                    for column in 0..<width {
                        // FFmpeg's order of the planes is green, blue, red and alpha.
                        plane[row * stride + column] = index >= 2 && column >= width / 2 ? 255 : 0
                    }
                }
            }
        }
        return bytes(try ImageEncoding.png(ScaledImage(frame: frame)))
    }

    /// Returns a gray PNG in which all pixels have one value.
    static func gray(width: Int, height: Int, value: UInt8) throws -> [UInt8] {
        let frame = try Frame.allocate(width: width, height: height, format: AV_PIX_FMT_GRAY8)
        frame.withMutablePlane(0) { plane in
            for offset in plane.indices { plane[offset] = value }
        }
        return bytes(try ImageEncoding.png(ScaledImage(frame: frame)))
    }

    private static func bytes(_ packet: borrowing Packet) -> [UInt8] {
        packet.withBytes { span in span.indices.map { span[$0] } }
    }
}
