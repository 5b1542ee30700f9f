import CFFmpeg

/// What FFmpeg's table says about a pixel format.
@safe
struct PixelFormat {
    /// Cyan, magenta, yellow and black, a byte each, 255 for no ink. FFmpeg has no such format: this borrows the name
    /// of one of the same shape, which no JPEG is decoded to.
    static let cmyk = AV_PIX_FMT_BGRA

    let raw: AVPixelFormat
    private let descriptor: UnsafePointer<AVPixFmtDescriptor>?

    init(_ raw: AVPixelFormat) {
        self.raw = raw
        unsafe descriptor = av_pix_fmt_desc_get(raw)
    }

    private func has(_ flag: Int32) -> Bool {
        guard let descriptor = unsafe descriptor else { return false }
        return unsafe descriptor.pointee.flags & UInt64(flag) != 0
    }

    var isKnown: Bool { unsafe descriptor != nil }
    private var isRGB: Bool { has(AV_PIX_FMT_FLAG_RGB) }
    /// An alpha channel, or a palette, whose colours may have alpha.
    var hasAlpha: Bool { has(AV_PIX_FMT_FLAG_ALPHA) || has(AV_PIX_FMT_FLAG_PAL) }
    var hasPalette: Bool { has(AV_PIX_FMT_FLAG_PAL) }
    /// Samples of several bytes, the highest first.
    var isBigEndian: Bool { has(AV_PIX_FMT_FLAG_BE) }
    /// Pixels that do not begin at bytes.
    var isBitstream: Bool { has(AV_PIX_FMT_FLAG_BITSTREAM) }
    /// How often the width of the colour differences is halved.
    var horizontalChromaShift: Int {
        guard let descriptor = unsafe descriptor else { return 0 }
        return Int(unsafe descriptor.pointee.log2_chroma_w)
    }
    /// How often the height of the colour differences is halved.
    var verticalChromaShift: Int {
        guard let descriptor = unsafe descriptor else { return 0 }
        return Int(unsafe descriptor.pointee.log2_chroma_h)
    }
    /// One component and no palette.
    var isGrey: Bool {
        guard let descriptor = unsafe descriptor else { return false }
        return unsafe descriptor.pointee.nb_components == 1 && !has(AV_PIX_FMT_FLAG_PAL)
    }
    /// Green, blue and red in planes of their own, with alpha or without, in samples of whole numbers.
    var isPlanarRGB: Bool { isRGB && has(AV_PIX_FMT_FLAG_PLANAR) && !has(AV_PIX_FMT_FLAG_FLOAT) }
    /// Bits of a sample of the first component.
    var depth: Int {
        guard let descriptor = unsafe descriptor else { return 0 }
        return Int(unsafe descriptor.pointee.comp.0.depth)
    }
    /// Luma and two colour differences, without alpha.
    var isColorDifference: Bool {
        guard let descriptor = unsafe descriptor else { return false }
        return unsafe descriptor.pointee.nb_components == 3 && !isRGB
    }

    /// Whether the format itself says full range (the JPEG kinds).
    var isFullRangeKind: Bool {
        switch raw {
        case AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ411P:
            true
        default: false
        }
    }

    /// How large a plane of such a picture is, without what fills its rows up.
    ///
    /// - Parameters:
    ///   - plane: 0…3; a packed format has only the first, one with a palette counts that as none.
    ///   - width: of the picture in pixels. A plane of halved colour differences has half as many, rounded up.
    /// - Returns: bytes of a row, whole ones where several pixels share one and two for each sample of more than eight
    ///   bits, and the number of rows; 0 and 0 for a plane that the format does not have.
    func planeSize(_ plane: Int, width: Int, height: Int) -> (rowBytes: Int, rows: Int) {
        guard let descriptor = unsafe descriptor, plane >= 0, plane < av_pix_fmt_count_planes(raw) else {
            return (0, 0)
        }
        let rowBytes = Int(av_image_get_linesize(raw, Int32(clamping: width), Int32(plane)))
        let shift = plane == 1 || plane == 2 ? Int(unsafe descriptor.pointee.log2_chroma_h) : 0
        return (max(0, rowBytes), -(-height >> shift))
    }
}
