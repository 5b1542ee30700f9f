import CLittleCMS

/// A Little CMS transform from the colors of an ICC profile to sRGB, with 8 bits per channel and the perceptual intent.
@safe
struct ColorTransform: ~Copyable {
    enum Kind: Sendable {
        case rgb
        case gray
        /// CMYK, in which 255 means no ink.
        case inks
        /// CIE L*a*b*, in which 128 stands for 0 of a* and b*.
        case lab

        fileprivate var format: cmsUInt32Number {
            switch self {
            case .rgb: agd_rgb
            case .gray: agd_gray
            case .inks: agd_inverted_cmyk
            case .lab: agd_lab
            }
        }

        fileprivate var signature: cmsColorSpaceSignature {
            switch self {
            case .rgb: cmsSigRgbData
            case .gray: cmsSigGrayData
            case .inks: cmsSigCmykData
            case .lab: cmsSigLabData
            }
        }

        var channels: Int {
            switch self {
            case .rgb, .lab: 3
            case .gray: 1
            case .inks: 4
            }
        }
    }

    /// The largest profile that is read, in bytes. Profiles of cameras and printers are smaller.
    static let maxProfileBytes = 4 << 20

    private let handle: cmsHTRANSFORM
    let kind: Kind

    deinit { unsafe cmsDeleteTransform(handle) }

    /// Makes a transform from an ICC profile.
    ///
    /// - Returns: `nil` if the profile is invalid, too long or for another model. The colors are then taken as sRGB.
    static func make(from profile: Span<UInt8>, kind: Kind) -> ColorTransform? {
        guard profile.count > 0, profile.count <= maxProfileBytes else { return nil }
        let opened = unsafe profile.withUnsafeBufferPointer {
            unsafe cmsOpenProfileFromMem($0.baseAddress, cmsUInt32Number($0.count))
        }
        guard let source = unsafe opened else { return nil }
        return unsafe make(from: source, kind: kind)
    }

    /// Returns a transform from CIE L*a*b* under the illuminant D50.
    static func lab() -> ColorTransform? {
        guard let source = unsafe cmsCreateLab4Profile(nil) else { return nil }
        return unsafe make(from: source, kind: .lab)
    }

    /// Makes a transform, and closes the profile `source`.
    @unsafe
    private static func make(from source: cmsHPROFILE, kind: Kind) -> ColorTransform? {
        defer { unsafe cmsCloseProfile(source) }
        // The tag D2B0 holds a chain of any length. Each link of the chain is evaluated at 36,000 points. Profiles of
        // cameras and printers have no such tag.
        guard unsafe cmsIsTag(source, cmsSigDToB0Tag) == 0 else { return nil }
        guard unsafe cmsGetColorSpace(source) == kind.signature, let target = unsafe cmsCreate_sRGBProfile() else {
            return nil
        }
        defer { unsafe cmsCloseProfile(target) }
        // A lookup table for L*a*b* is wrong by up to 15 levels. Without it a pixel takes 108 ns instead of 48 ns.
        let flags = cmsFLAGS_BLACKPOINTCOMPENSATION | (kind == .lab ? cmsFLAGS_NOOPTIMIZE : 0)
        let made = unsafe cmsCreateTransform(
            source, kind.format, target, agd_rgb, cmsUInt32Number(INTENT_PERCEPTUAL), cmsUInt32Number(flags))
        guard let made = unsafe made else { return nil }
        return unsafe ColorTransform(handle: made, kind: kind)
    }

    /// Converts `pixels` pixels to red, green and blue, and writes them from offset `start` of the target.
    func convert(_ source: Span<UInt8>, into target: inout MutableSpan<UInt8>, at start: Int = 0, pixels: Int) {
        guard pixels > 0, start >= 0, source.count >= pixels * kind.channels, target.count >= start + pixels * 3 else {
            return
        }
        unsafe source.withUnsafeBufferPointer { from in
            unsafe target.withUnsafeMutableBufferPointer { to in
                unsafe cmsDoTransform(
                    handle, from.baseAddress, to.baseAddress.map { unsafe $0 + start }, cmsUInt32Number(pixels))
            }
        }
    }

    /// Whether the transform changes colors by at most two levels. Most profiles in images are those of sRGB.
    var changesNothing: Bool {
        guard kind == .rgb || kind == .gray else { return false }
        let steps: [UInt8] = [0, 51, 102, 153, 204, 255]
        var samples: [UInt8] = []
        var expected: [UInt8] = []
        for red in steps {
            if kind == .gray {
                samples.append(red)
                expected += [red, red, red]
                continue
            }
            for green in steps {
                for blue in steps { samples += [red, green, blue] }
            }
        }
        if kind == .rgb { expected = samples }
        var converted = [UInt8](repeating: 0, count: expected.count)
        var target = converted.mutableSpan
        convert(samples.span, into: &target, pixels: expected.count / 3)
        return zip(converted, expected).allSatisfy { abs(Int($0) - Int($1)) <= 2 }
    }
}
