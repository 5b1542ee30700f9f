import CFFmpeg
import CLittleCMS
import MediaHeaders
import TranscodeProtocol

extension Frame {
    /// Sets the colors that the file names, which take precedence over those of the codec (ISO 23008-12, 6.5.5).
    func setColor(_ color: CodedColor) {
        unsafe pointer.pointee.color_primaries = AVColorPrimaries(UInt32(clamping: color.primaries))
        unsafe pointer.pointee.color_trc = AVColorTransferCharacteristic(UInt32(clamping: color.transfer))
        unsafe pointer.pointee.colorspace = AVColorSpace(UInt32(clamping: color.matrix))
        unsafe pointer.pointee.color_range = color.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
    }

    /// The transfer function of an image with high dynamic range; `nil` for other images.
    var hdrTransfer: HDRTransfer? {
        switch unsafe pointer.pointee.color_trc {
        case AVCOL_TRC_SMPTE2084: .pq
        case AVCOL_TRC_ARIB_STD_B67: .hlg
        default: nil
        }
    }

    /// The matrix from linear light in the image's primaries to linear light in sRGB's primaries, row by row. BT.2020
    /// is the default, because high dynamic range has no other primaries (BT.2100-2, table 2).
    var matrixToSRGB: [Float] {
        switch unsafe pointer.pointee.color_primaries {
        case AVCOL_PRI_BT709: [1, 0, 0, 0, 1, 0, 0, 0, 1]
        case AVCOL_PRI_SMPTE432: [1.224_94, -0.224_94, 0, -0.042_06, 1.042_06, 0, -0.019_64, -0.078_64, 1.098_27]
        // The source of the default is ITU-R BT.2407-0, equation (1).
        default: [1.660_49, -0.587_64, -0.072_85, -0.124_55, 1.132_9, -0.008_35, -0.018_15, -0.100_58, 1.118_73]
        }
    }

    /// Attaches an ICC profile to an image that has no profile and whose primaries are wider than those of sRGB.
    func attachProfileOfPrimaries() throws(TranscodeFailure) {
        guard !hasColorProfile, let primaries = unsafe WidePrimaries(pointer.pointee.color_primaries) else { return }
        try attachColorProfile(primaries.profile)
    }
}

/// The primaries that are wider than those of sRGB, with the transfer curve of sRGB.
private enum WidePrimaries {
    /// Display P3, with the primaries of SMPTE EG 432-1.
    case displayP3
    /// The primaries of ITU-R BT.2020.
    case bt2020

    init?(_ primaries: AVColorPrimaries) {
        switch primaries {
        case AVCOL_PRI_SMPTE432: self = .displayP3
        case AVCOL_PRI_BT2020: self = .bt2020
        default: return nil
        }
    }

    /// The CIE x and y of red, green and blue.
    private var triple: cmsCIExyYTRIPLE {
        switch self {
        case .displayP3:
            cmsCIExyYTRIPLE(
                Red: .init(x: 0.680, y: 0.320, Y: 1), Green: .init(x: 0.265, y: 0.690, Y: 1),
                Blue: .init(x: 0.150, y: 0.060, Y: 1))
        case .bt2020:
            cmsCIExyYTRIPLE(
                Red: .init(x: 0.708, y: 0.292, Y: 1), Green: .init(x: 0.170, y: 0.797, Y: 1),
                Blue: .init(x: 0.131, y: 0.046, Y: 1))
        }
    }

    /// The primaries as an ICC profile; empty if there is no memory for it.
    var profile: [UInt8] {
        var white = cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1)
        var triple = triple
        // The parameters of the sRGB curve (IEC 61966-2-1).
        let parameters = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
        guard let curve = unsafe cmsBuildParametricToneCurve(nil, 4, parameters) else { return [] }
        defer { unsafe cmsFreeToneCurve(curve) }
        var curves: [OpaquePointer?] = unsafe [curve, curve, curve]
        guard let made = unsafe cmsCreateRGBProfile(&white, &triple, &curves) else { return [] }
        defer { unsafe cmsCloseProfile(made) }
        var count: cmsUInt32Number = 0
        guard unsafe cmsSaveProfileToMem(made, nil, &count) != 0, count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        guard unsafe cmsSaveProfileToMem(made, &bytes, &count) != 0 else { return [] }
        return bytes
    }
}

extension Frame {
    /// Returns the transform from the image's profile to sRGB, or `nil` if the image has no profile of that kind.
    func transform(of kind: ColorTransform.Kind) -> ColorTransform? {
        guard let data = unsafe av_frame_get_side_data(pointer, AV_FRAME_DATA_ICC_PROFILE),
            let start = unsafe data.pointee.data
        else { return nil }
        return ColorTransform.make(from: unsafe Span(_unsafeStart: start, count: data.pointee.size), kind: kind)
    }

    func dropColorProfile() { unsafe av_frame_remove_side_data(pointer, AV_FRAME_DATA_ICC_PROFILE) }

    /// Attaches the ICC profile that is stored in these ranges of the source.
    func attachColorProfile(of source: borrowing MappedInput, at ranges: [Range<Int>]) throws(TranscodeFailure) {
        try attachColorProfile(source.withBytes { bytes in ranges.flatMap { bytes.copy($0) } })
    }

    /// Attaches an ICC profile, unless `bytes` is empty.
    func attachColorProfile(_ bytes: [UInt8]) throws(TranscodeFailure) {
        guard !bytes.isEmpty else { return }
        guard let profile = unsafe av_frame_new_side_data(pointer, AV_FRAME_DATA_ICC_PROFILE, bytes.count) else {
            throw .noMemory("colour profile")
        }
        unsafe profile.pointee.data.update(from: bytes, count: bytes.count)
    }

    var hasColorProfile: Bool { unsafe av_frame_get_side_data(pointer, AV_FRAME_DATA_ICC_PROFILE) != nil }

    /// Copies the reference to another frame's ICC profile, if it has one. Pixels without theirs would change color.
    func copyColorProfile(from source: borrowing Frame) throws(TranscodeFailure) {
        guard let profile = unsafe av_frame_get_side_data(source.pointer, AV_FRAME_DATA_ICC_PROFILE),
            let buffer = unsafe av_buffer_ref(profile.pointee.buf)
        else { return }
        var owned: UnsafeMutablePointer<AVBufferRef>? = unsafe buffer
        guard unsafe av_frame_new_side_data_from_buf(pointer, AV_FRAME_DATA_ICC_PROFILE, buffer) != nil else {
            unsafe av_buffer_unref(&owned)
            throw .noMemory("colour profile")
        }
    }
}

extension Frame {
    /// Spreads the samples of a gray or RGB image of limited range over the full range. Limited range is 16…235 for 8
    /// bits, and scales with the depth for 10 and 12 bits (ITU-R BT.2100-2, table 9).
    ///
    /// swscale assumes full range for every gray or RGB image. swscale itself converts the range of images with chroma.
    func spreadLimitedRange() throws(TranscodeFailure) {
        let format = pixelFormat
        guard unsafe pointer.pointee.color_range == AVCOL_RANGE_MPEG, format.isGray || format.isPlanarRGB else {
            return
        }
        // The decoder may need its own copy for the next image.
        try FFmpegStatus.check(unsafe av_frame_make_writable(pointer), "copying a frame")
        let table = Self.fullRange(ofBits: format.depth)
        for plane in 0..<(format.isGray ? 1 : 3) {
            withMutablePlane(plane) { bytes in
                if format.depth == 8 {
                    for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: table[Int(bytes[index])]) }
                } else {
                    for index in Swift.stride(from: 0, to: bytes.count - 1, by: 2) {
                        let sample = Int(bytes[index]) | Int(bytes[index + 1]) << 8
                        let spread = table[min(sample, table.count - 1)]
                        bytes[index] = UInt8(truncatingIfNeeded: spread)
                        bytes[index + 1] = UInt8(truncatingIfNeeded: spread >> 8)
                    }
                }
            }
        }
        unsafe pointer.pointee.color_range = AVCOL_RANGE_JPEG
    }

    /// Returns the full-range value for each limited-range sample.
    private static func fullRange(ofBits depth: Int) -> [UInt16] {
        let (most, unit) = (Double((1 << depth) - 1), Double(1 << (depth - 8)))
        return (0..<(1 << depth)).map { sample in
            UInt16(min(most, max(0, (Double(sample) - 16 * unit) * most / (219 * unit)).rounded()))
        }
    }
}
