import Glibc

/// The comparable properties of an image without its pixels. The properties are the same at all sizes, and differ if
/// the image is turned, mirrored or in other colors. `scripts/picture-oracle` writes the same properties of the image
/// that Pillow decodes.
package struct ImageLook: Sendable, Equatable {
    /// The number of fields along each side of the grids.
    package static let fields = 8
    /// The number of frequencies along each side, and the number of samples along each side from which the frequencies
    /// are computed.
    private static let (frequencies, samples) = (8, 32)
    /// The lowest strength of a frequency that is attributed to the image. Noise of this number of levels can cause a
    /// frequency of this strength.
    private static let sureStrength: Float = 16

    /// The mean red, green and blue of 8 by 8 fields in sRGB on white, in rows from the top.
    package var grid: [UInt8]
    /// The mean opacity of the same fields, 0…255; `nil` if all pixels are opaque.
    package var opacity: [UInt8]?
    /// Whether each of the 8 by 8 lowest frequencies of the luma is positive. The first frequency is the highest bit.
    package var hash: UInt64
    /// The frequencies that are strong enough to distinguish images, with the same bits as in `hash`.
    package var sure: UInt64

    package init(of image: ImagePixels) {
        let grid = ImageGrid(of: image, side: Self.fields)
        self.grid = grid.colors
        opacity = grid.isOpaque ? nil : grid.opacity
        (hash, sure) = Self.hash(ImageGrid(of: image, side: Self.samples).colors)
    }

    /// Returns the hash of the samples and its sure bits.
    ///
    /// - Parameter colors: Three values for each of the 32 by 32 samples.
    private static func hash(_ colors: [UInt8]) -> (UInt64, UInt64) {
        let plane = PortablePixmap(width: samples, height: samples, bytes: colors).luma.samples
        var (hash, sure): (UInt64, UInt64) = (0, 0)
        for (down, wave) in waves.enumerated() {
            for (across, other) in waves.enumerated() where (down, across) != (0, 0) {
                var strength: Float = 0
                for y in 0..<samples {
                    for x in 0..<samples { strength += wave[y] * other[x] * plane[y * samples + x] }
                }
                let bit: UInt64 = 1 << (63 - down * frequencies - across)
                if strength > 0 { hash |= bit }
                if abs(strength) >= sureStrength { sure |= bit }
            }
        }
        return (hash, sure)
    }

    /// The cosines of the discrete cosine transform (DCT-II, orthonormal).
    private static let waves: [[Float]] = (0..<frequencies).map { frequency in
        (0..<samples).map { sample in
            let phase = Double.pi * (Double(sample) + 0.5) * Double(frequency) / Double(samples)
            return Float(cos(phase) * sqrt((frequency == 0 ? 1 : 2) / Double(samples)))
        }
    }
}

extension ImageLook: Decodable {
    private enum Key: String, CodingKey { case grid, opacity, hash, sure }

    package init(from decoder: any Decoder) throws {
        let words = try decoder.container(keyedBy: Key.self)
        func bytes(_ text: String, _ count: Int, _ key: Key) throws -> [UInt8] {
            let digits = Array(text.utf8)
            let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
                UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
            }
            guard bytes.count == count, digits.count == 2 * count else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: words, debugDescription: "not \(count) bytes in hexadecimal")
            }
            return bytes
        }
        func number(_ key: Key) throws -> UInt64 {
            guard let number = UInt64(try words.decode(String.self, forKey: key), radix: 16) else {
                throw DecodingError.dataCorruptedError(forKey: key, in: words, debugDescription: "not hexadecimal")
            }
            return number
        }
        let fields = Self.fields * Self.fields
        grid = try bytes(try words.decode(String.self, forKey: .grid), 3 * fields, .grid)
        opacity = try words.decodeIfPresent(String.self, forKey: .opacity).map { try bytes($0, fields, .opacity) }
        hash = try number(.hash)
        sure = try number(.sure)
    }
}
