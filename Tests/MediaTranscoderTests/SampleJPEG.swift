import CFFmpeg

@testable import MediaTranscoder

/// The JPEGs that encoders do not write. The files are composed of the segments of gray JPEGs (ITU-T T.81, annex B).
enum SampleJPEG {
    /// Returns the segments between the first marker and the data of the scan, and the data up to the last marker.
    private static func parts(_ bytes: [UInt8]) -> (segments: [[UInt8]], data: [UInt8]) {
        var segments: [[UInt8]] = []
        var offset = 2
        while segments.last?[1] != 0xDA {
            let end = offset + 2 + Int(bytes[offset + 2]) << 8 + Int(bytes[offset + 3])
            segments.append(Array(bytes[offset..<end]))
            offset = end
        }
        return (segments, Array(bytes[offset...].dropLast(2)))
    }

    private static func big(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }

    /// Returns a baseline JPEG with one scan for each component.
    ///
    /// - Parameter sampling: The sampling factors of each component. The first component has the largest ones.
    /// - Parameter levels: The levels of each component, one for the left half and one for the right half.
    static func scans(
        width: Int, height: Int, sampling: [(across: Int, down: Int)], levels: [(left: UInt8, right: UInt8)]
    ) throws -> [UInt8] {
        var tables: [UInt8] = []
        var scans: [UInt8] = []
        var frame = [0xFF, 0xC0] + big(8 + 3 * levels.count) + [8] + big(height) + big(width) + [UInt8(levels.count)]
        for (index, level) in levels.enumerated() {
            let (across, down) = sampling[index]
            let gray = try Frame.allocate(
                width: (width * across + sampling[0].across - 1) / sampling[0].across,
                height: (height * down + sampling[0].down - 1) / sampling[0].down, format: AV_PIX_FMT_GRAY8)
            let (stride, half) = (gray.stride(0), gray.width / 2)
            gray.withMutablePlane(0) { bytes in
                for offset in bytes.indices { bytes[offset] = offset % stride < half ? level.left : level.right }
            }
            let packet = try TurboEncoder.make().jpeg(gray, quality: 85)
            let (segments, data) = parts(packet.withBytes { span in span.indices.map { span[$0] } })
            // Each scan gets its own Huffman tables, because the encoder may have optimized them for it.
            tables = segments.filter { $0[1] == 0xDB }.flatMap { $0 }
            scans += segments.filter { $0[1] == 0xC4 }.flatMap { $0 }
            scans += [0xFF, 0xDA, 0, 8, 1, UInt8(index + 1), 0, 0, 63, 0] + data
            frame += [UInt8(index + 1), UInt8(across << 4 | down), 0]
        }
        return [0xFF, 0xD8] + tables + frame + scans + [0xFF, 0xD9]
    }

    /// Returns the same file with another size in its frame header. The file is only for tests that read headers.
    static func saying(_ width: Int, _ height: Int, _ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        var offset = 2
        while !(0xC0...0xCF).contains(bytes[offset + 1]) || bytes[offset + 1] == 0xC4 || bytes[offset + 1] == 0xCC {
            offset += 2 + Int(bytes[offset + 2]) << 8 + Int(bytes[offset + 3])
        }
        bytes.replaceSubrange(offset + 5..<offset + 9, with: big(height) + big(width))
        return bytes
    }
}
