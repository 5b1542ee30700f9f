import Base
import CFFmpeg
import TranscodeProtocol

/// The decoding of a TIFF's first image, by rows or tiles, or by strips for planes and colors that libtiff converts.
enum TIFFDecoding {
    static func decode(_ source: borrowing MappedInput, _ layout: TIFFLayout) throws(TranscodeFailure) -> Frame {
        let file = try source.withBytes { bytes throws(TranscodeFailure) in try TIFFFile.open(bytes) }
        // The layout sets the colors to which libtiff decodes JPEGs. It is read again, because the file was reopened.
        _ = try TIFFLayout(file)
        let isConverted = layout.colors == .converted
        let frame = try Frame.allocate(
            width: layout.size.width, height: layout.size.height, format: layout.pixelFormat,
            alignment: isConverted ? 1 : 0)
        if isConverted {
            try unsafe frame.withPackedPixels { pixels throws(TranscodeFailure) in
                try unsafe file.convert(into: pixels, width: layout.size.width, height: layout.size.height)
            }
        } else {
            try drawParts(of: file, layout, into: frame)
        }
        // CMYK is already converted with the profile.
        guard layout.colors != .inks else { return frame }
        try frame.attachColorProfile(file.profile)
        return try AlphaMerge.apply(layout.alpha ?? .coverage, to: frame)
    }

    private static func drawParts(
        of file: borrowing TIFFFile, _ layout: TIFFLayout, into frame: borrowing Frame
    ) throws(TranscodeFailure) {
        if layout.colors == .palette {
            guard let palette = file.palette(depth: layout.depth) else { throw .corrupt("TIFF: no palette") }
            frame.setPalette(palette)
        }
        let painter = TIFFPainter(layout, inkProfile: layout.colors == .inks ? file.profile : [])
        let planes = layout.isPlanar ? layout.count : 1
        let part = PixelSize(
            layout.tile?.width ?? layout.size.width,
            layout.tile?.height ?? (layout.isPlanar ? layout.planeBytes / layout.rowBytes : 1))
        var samples = [UInt8](repeating: 0, count: planes * layout.planeBytes)
        for top in stride(from: 0, to: layout.size.height, by: part.height) {
            for left in stride(from: 0, to: layout.size.width, by: part.width) {
                for plane in 0..<planes {
                    try file.read(
                        into: &samples, at: plane * layout.planeBytes, count: layout.planeBytes, x: left, y: top,
                        plane: plane, isPlanar: layout.isPlanar)
                }
                let columns = left..<min(left + part.width, layout.size.width)
                for row in 0..<min(part.height, layout.size.height - top) {
                    painter.draw(samples.span, from: row * layout.rowBytes, into: frame, columns, row: top + row)
                }
            }
        }
    }
}
