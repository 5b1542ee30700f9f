import CFFmpeg

/// The properties of a pixel format in FFmpeg's table.
@safe
struct PixelFormat {
    /// CMYK with one byte for each channel, in which 255 means no ink. FFmpeg has no such format. The value is that of
    /// a format with the same layout. No JPEG is decoded to that format.
    static let cmyk = AV_PIX_FMT_BGRA

    let raw: AVPixelFormat
    private let descriptor: UnsafePointer<AVPixFmtDescriptor>?

    init(_ raw: AVPixelFormat) {
        self.raw = raw
        unsafe descriptor = av_pix_fmt_desc_get(raw)
    }

    private func has(_ flag: Int32) -> Bool { unsafe (descriptor?.pointee.flags ?? 0) & UInt64(flag) != 0 }

    var isKnown: Bool { unsafe descriptor != nil }
    private var isRGB: Bool { has(AV_PIX_FMT_FLAG_RGB) }
    /// Whether the format has an alpha channel, or a palette, whose colors may have alpha.
    var hasAlpha: Bool { has(AV_PIX_FMT_FLAG_ALPHA) || has(AV_PIX_FMT_FLAG_PAL) }
    var hasPalette: Bool { has(AV_PIX_FMT_FLAG_PAL) }
    /// Whether samples of several bytes have their highest byte first.
    var isBigEndian: Bool { has(AV_PIX_FMT_FLAG_BE) }
    /// Whether pixels may begin within a byte.
    var isBitstream: Bool { has(AV_PIX_FMT_FLAG_BITSTREAM) }
    /// The number of times that the width of the chroma planes is halved.
    var horizontalChromaShift: Int { Int(unsafe descriptor?.pointee.log2_chroma_w ?? 0) }
    /// The number of times that the height of the chroma planes is halved.
    var verticalChromaShift: Int { Int(unsafe descriptor?.pointee.log2_chroma_h ?? 0) }
    private var components: UInt8 { unsafe descriptor?.pointee.nb_components ?? 0 }
    /// Whether the format has one component and no palette.
    var isGray: Bool { components == 1 && !hasPalette }
    /// Whether the format has integer green, blue and red in separate planes, with or without alpha.
    var isPlanarRGB: Bool { isRGB && has(AV_PIX_FMT_FLAG_PLANAR) && !has(AV_PIX_FMT_FLAG_FLOAT) }
    /// The number of bits in a sample of the first component.
    var depth: Int { Int(unsafe descriptor?.pointee.comp.0.depth ?? 0) }
    /// Whether the format is luma and two chroma components, without alpha.
    var isColorDifference: Bool { components == 3 && !isRGB }

    /// Whether the format itself implies full range, as the JPEG formats do.
    var isFullRangeKind: Bool {
        switch raw {
        case AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ411P:
            true
        default: false
        }
    }

    /// Returns the size of a plane without the padding of its rows.
    ///
    /// - Parameter plane: The plane, 0…3. A packed format has only the first one. A palette is not counted as a plane.
    /// - Parameter width: The width of the image in pixels. Halved chroma has half as many samples, rounded up.
    /// - Parameter height: The height of the image in pixels.
    /// - Returns: The number of bytes in a row and the number of rows; 0 and 0 for a plane that the format does not
    ///   have. A row has whole bytes if pixels share bytes, and two bytes for each sample of more than 8 bits.
    func planeSize(_ plane: Int, width: Int, height: Int) -> (rowBytes: Int, rows: Int) {
        guard plane >= 0, plane < av_pix_fmt_count_planes(raw) else { return (0, 0) }
        let rowBytes = Int(av_image_get_linesize(raw, Int32(clamping: width), Int32(plane)))
        let shift = plane == 1 || plane == 2 ? verticalChromaShift : 0
        return (max(0, rowBytes), -(-height >> shift))
    }
}
