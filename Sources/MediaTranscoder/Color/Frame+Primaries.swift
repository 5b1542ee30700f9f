import CFFmpeg
import CLittleCMS
import MediaHeaders
import TranscodeProtocol

extension Frame {
    /// Sets the colors that the file names. The file's colors take precedence over those of the codec (ISO 23008-12,
    /// 6.5.5).
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
        case AVCOL_PRI_SMPTE432:
            [1.224_94, -0.224_94, 0, -0.042_06, 1.042_06, 0, -0.019_64, -0.078_64, 1.098_27]
        // The source of the default is ITU-R BT.2407-0, equation (1).
        default: [1.660_49, -0.587_64, -0.072_85, -0.124_55, 1.132_9, -0.008_35, -0.018_15, -0.100_58, 1.118_73]
        }
    }

    /// Attaches an ICC profile to an image that has no profile and whose primaries are wider than those of sRGB.
    func attachProfileOfPrimaries() throws(TranscodeFailure) {
        guard unsafe av_frame_get_side_data(pointer, AV_FRAME_DATA_ICC_PROFILE) == nil,
            let primaries = unsafe WidePrimaries(pointer.pointee.color_primaries)
        else { return }
        let profile = primaries.profile
        guard !profile.isEmpty else { return }
        let data = unsafe av_frame_new_side_data(pointer, AV_FRAME_DATA_ICC_PROFILE, profile.count)
        guard let data = unsafe data else { throw FFmpegStatus.noMemory("colour profile") }
        unsafe data.pointee.data.update(from: profile, count: profile.count)
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
