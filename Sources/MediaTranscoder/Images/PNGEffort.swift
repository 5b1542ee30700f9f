import MediaTypes

/// The effort that is spent to make a PNG small.
///
/// The effort was measured with images of 512 × 384 pixels. For photographs, one filter and zlib's level 2 take half
/// the time of all filters and level 4, and result in 3 % more bytes. For drawings, one filter and level 2 would result
/// in twice the bytes.
enum PNGEffort: Equatable {
    /// An image with flat areas and gradients. At least three of five samples differ by at most one level from the
    /// previous sample.
    case drawing
    case photo

    /// The distance between the rows that are checked.
    private static let step = 8

    init(_ image: borrowing ScaledImage) {
        let (width, height, stride) = (image.size.width, image.size.height, image.frame.stride(0))
        let alike = image.frame.withPlane(0) { bytes in
            var alike = 0
            for row in Swift.stride(from: 0, to: height, by: Self.step) {
                let line = bytes.extracting(row * stride..<row * stride + width)
                for column in 1..<max(1, width) where abs(Int(line[column]) - Int(line[column - 1])) <= 1 { alike += 1 }
            }
            return alike
        }
        let looked = (height + Self.step - 1) / Self.step * (width - 1)
        self = alike * 5 < looked * 3 ? .photo : .drawing
    }

    /// The options of FFmpeg's encoder. zlib's default level would be 6, with twice the time of level 4 for a twelfth
    /// fewer bytes.
    var options: [(String, String)] {
        switch self {
        case .drawing: [("pred", "mixed"), ("compression_level", "4")]
        case .photo: [("pred", "avg"), ("compression_level", "2")]
        }
    }
}
