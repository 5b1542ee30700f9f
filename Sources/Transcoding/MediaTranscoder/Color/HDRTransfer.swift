import Glibc

/// The transfer function of an image with high dynamic range: the relation between its code values and light (ITU-R
/// BT.2100-2). The type has no side effects.
///
/// The unit of light is the white of SDR. This is the reference white of BT.2408-7 (2.1, table 1), 203 cd/m².
enum HDRTransfer: Equatable, Sendable {
    /// Perceptual quantization, in which a code value is a luminance.
    case pq
    /// Hybrid log-gamma, in which a code value is light of the scene. This light is shown on a display of 1,000 cd/m².
    case hlg

    static let white = 203.0
    /// The brightest light that tone mapping distinguishes. Most mastering displays reach it (BT.2100-2, table 5).
    static let peak = 1_000 / white

    /// Returns the light of one channel's code value, 0…1: that of the display for `pq`, of the scene (0…1) for `hlg`.
    func light(_ number: Double) -> Double {
        switch self {
        case .pq: Self.pqLuminance(number) / Self.white
        case .hlg: Self.hlgScene(number)
        }
    }

    /// Returns the factor from the scene light of a color to its light on the display of `hlg`. The factor depends on
    /// the scene's luminance (the OOTF of BT.2100-2, table 5, with a gamma of 1.2).
    static func hlgGain(_ luminance: Double) -> Double { peak * pow(luminance, 0.2) }

    /// Returns the scene light of a code value, by the inverse OETF of BT.2100-2, table 5.
    private static func hlgScene(_ number: Double) -> Double {
        let (a, b, c) = (0.178_832_77, 0.284_668_92, 0.559_910_73)
        return number <= 0.5 ? number * number / 3 : (exp((number - c) / a) + b) / 12
    }

    // MARK: PQ

    private static let (m1, m2) = (2_610.0 / 16_384, 2_523.0 / 4_096 * 128)
    private static let (c1, c2, c3) = (3_424.0 / 4_096, 2_413.0 / 4_096 * 32, 2_392.0 / 4_096 * 32)

    /// Returns the luminance of a code value in cd/m², by the EOTF of BT.2100-2, table 4.
    static func pqLuminance(_ number: Double) -> Double {
        let root = pow(max(0, number), 1 / m2)
        return 10_000 * pow(max(0, root - c1) / (c2 - c3 * root), 1 / m1)
    }

    /// Returns the code value of a luminance in cd/m², by the inverse of the EOTF (BT.2100-2, table 4).
    static func pqNumber(_ luminance: Double) -> Double {
        let root = pow(max(0, luminance) / 10_000, m1)
        return pow((c1 + c2 * root) / (1 + c3 * root), m2)
    }

    // MARK: Tone

    /// Returns the light that SDR shows instead of `light`. It equals `light` up to 0.43, is compressed above, and is 1
    /// from `peak` on. The curve is the EETF of BT.2390-10, 5.4.1, from 1,000 to 203 cd/m², without a change of black.
    static func toned(_ light: Double) -> Double {
        let brightest = pqNumber(peak * white)
        let most = pqNumber(white) / brightest
        let knee = 1.5 * most - 0.5
        let number = min(1, pqNumber(light * white) / brightest)
        guard number > knee else { return light }
        let t = (number - knee) / (1 - knee)
        let (square, cube) = (t * t, t * t * t)
        let spline =
            (2 * cube - 3 * square + 1) * knee + (cube - 2 * square + t) * (1 - knee) + (3 * square - 2 * cube) * most
        return min(1, pqLuminance(spline * brightest) / white)
    }
}
