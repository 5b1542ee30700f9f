/// How a TIFF's luma and colour differences stand for red, green and blue (TIFF 6.0, sections 20 and 21).
package struct TIFFLuma: Sendable, Equatable {
    /// Pixels that share their colour differences: 1, 2 or 4.
    package let across: Int
    package let down: Int
    /// The shares of red, green and blue in luma; none of them is 0.
    package let coefficients: [Double]
    /// The codes of black and white in luma and in each colour difference, in turn.
    package let blackAndWhite: [Double]

    /// - Throws: `unsupported` for a sampling that TIFF does not have, `malformed`.
    init(_ fields: TIFFFields, of tiff: Span<UInt8>) throws(MediaHeaderError) {
        let sampling = try fields.numbers(.yCbCrSubSampling, limit: 2, of: tiff) ?? [2, 2]
        guard sampling.count == 2, sampling.allSatisfy({ [1, 2, 4].contains($0) }) else {
            throw .unsupported("TIFF of YCbCr in samplings of \(sampling)")
        }
        (across, down) = (sampling[0], sampling[1])
        coefficients = try Self.rationals(.yCbCrCoefficients, 3, fields, of: tiff) ?? [0.299, 0.587, 0.114]
        // The default of TIFF 6.0 for colour differences, 0 and 255, is a mistake that no program follows.
        blackAndWhite =
            try Self.rationals(.referenceBlackWhite, 6, fields, of: tiff) ?? [0, 255, 128, 255, 128, 255]
        guard coefficients.allSatisfy({ $0 > 0 && $0 < 1 }) else { throw .malformed("TIFF YCbCr coefficients") }
        for part in stride(from: 0, to: 6, by: 2) where blackAndWhite[part] == blackAndWhite[part + 1] {
            throw .malformed("TIFF reference black and white")
        }
    }

    private static func rationals(
        _ tag: TIFFTag, _ count: Int, _ fields: TIFFFields, of tiff: Span<UInt8>
    ) throws(MediaHeaderError) -> [Double]? {
        guard let entry = fields.entry(tag) else { return nil }
        guard entry.count == count else { throw .malformed("TIFF tag \(tag.rawValue)") }
        var values: [Double] = []
        for index in 0..<count {
            guard let value = entry.rational(index, of: tiff) else { throw .malformed("TIFF tag \(tag.rawValue)") }
            values.append(value)
        }
        return values
    }

    /// Bytes of a part without compression: for each block of pixels their lumas, then both differences.
    package func bytes(width: Int, height: Int) -> Int {
        blocks(width, across).multipliedOrMax(by: blocks(height, down)).multipliedOrMax(by: across * down + 2)
    }

    private func blocks(_ pixels: Int, _ side: Int) -> Int {
        (pixels - 1) / side + 1
    }
}
