/// How much is tried to make a PNG small.
///
/// Measured with pictures of 512 by 384: of photographs one filter and zlib's level 2 take half the time of all filters and
/// level 4, for 3 % more bytes; of drawings they would take twice the bytes.
enum PNGEffort: Equatable {
    /// Most samples, three of five, differ by a level at most from the one before: areas and gradients.
    case drawing
    case photo

    /// Rows that are looked at: each so many.
    private static let step = 8

    init(_ picture: borrowing ScaledImage) {
        let (width, height, stride) = (picture.size.width, picture.size.height, picture.frame.stride(0))
        let alike = picture.frame.withPlane(0) { bytes in
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

    /// Of FFmpeg's encoder. (zlib's default level would be 6: twice the time of 4, for a twelfth fewer bytes.)
    var options: [(String, String)] {
        switch self {
        case .drawing: [("pred", "mixed"), ("compression_level", "4")]
        case .photo: [("pred", "avg"), ("compression_level", "2")]
        }
    }
}
