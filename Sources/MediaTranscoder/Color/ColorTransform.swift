import CLittleCMS
import TranscodeProtocol

/// Owns a Little CMS transform from the colours of an ICC profile to sRGB, eight bits each, perceptual.
@safe
struct ColorTransform: ~Copyable {
    enum Kind: Sendable {
        case rgb
        case grey
        /// Four inks, 255 is none.
        case inks
        /// CIE L*a*b*, 128 is 0 for a* and b*.
        case lab

        fileprivate var format: cmsUInt32Number {
            switch self {
            case .rgb: agd_rgb
            case .grey: agd_grey
            case .inks: agd_inverted_cmyk
            case .lab: agd_lab
            }
        }

        fileprivate var signature: cmsColorSpaceSignature {
            switch self {
            case .rgb: cmsSigRgbData
            case .grey: cmsSigGrayData
            case .inks: cmsSigCmykData
            case .lab: cmsSigLabData
            }
        }

        var channels: Int {
            switch self {
            case .rgb, .lab: 3
            case .grey: 1
            case .inks: 4
            }
        }
    }

    /// Longer ones are no camera's and no printer's.
    static let mostProfileBytes = 4 << 20

    private let handle: cmsHTRANSFORM
    let kind: Kind

    private init(_ handle: cmsHTRANSFORM, _ kind: Kind) {
        unsafe self.handle = handle
        self.kind = kind
    }

    deinit { unsafe cmsDeleteTransform(handle) }

    /// - Returns: `nil` for a profile that is none, or of another kind of colours: without it, they are taken for sRGB's.
    static func make(from profile: Span<UInt8>, kind: Kind) -> ColorTransform? {
        guard profile.count > 0, profile.count <= mostProfileBytes else { return nil }
        let opened = unsafe profile.withUnsafeBufferPointer {
            unsafe cmsOpenProfileFromMem($0.baseAddress, cmsUInt32Number($0.count))
        }
        guard let source = unsafe opened else { return nil }
        return unsafe make(from: source, kind: kind)
    }

    /// From CIE L*a*b* under the light D50.
    static func lab() -> ColorTransform? {
        guard let source = unsafe cmsCreateLab4Profile(nil) else { return nil }
        return unsafe make(from: source, kind: .lab)
    }

    /// Closes the profile.
    @unsafe
    private static func make(from source: cmsHPROFILE, kind: Kind) -> ColorTransform? {
        defer { unsafe cmsCloseProfile(source) }
        // Chains of any length, each link of them evaluated at 36,000 points: no camera and no printer writes one.
        guard unsafe cmsIsTag(source, cmsSigDToB0Tag) == 0 else { return nil }
        guard unsafe cmsGetColorSpace(source) == kind.signature, let target = unsafe cmsCreate_sRGBProfile() else {
            return nil
        }
        defer { unsafe cmsCloseProfile(target) }
        // A table of L*a*b* is off by up to 15 levels; without one a pixel takes 108 ns instead of 48.
        let flags = cmsFLAGS_BLACKPOINTCOMPENSATION | (kind == .lab ? cmsFLAGS_NOOPTIMIZE : 0)
        let made = unsafe cmsCreateTransform(
            source, kind.format, target, agd_rgb, cmsUInt32Number(INTENT_PERCEPTUAL), cmsUInt32Number(flags))
        guard let made = unsafe made else { return nil }
        return unsafe ColorTransform(made, kind)
    }

    /// Turns so many pixels into red, green and blue, from an offset of the target on.
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

    /// Whether colours stay what they are, but for rounding: most profiles in pictures are sRGB's.
    var changesNothing: Bool {
        guard kind == .rgb || kind == .grey else { return false }
        let steps: [UInt8] = [0, 51, 102, 153, 204, 255]
        var samples: [UInt8] = []
        var expected: [UInt8] = []
        for red in steps {
            if kind == .grey {
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
