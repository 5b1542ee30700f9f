import Glibc

/// How the numbers of a picture of high dynamic range stand for light (ITU-R BT.2100-2). Pure.
///
/// Light is in units of SDR's white, for which the reference white of BT.2408-7 (2.1, table 1) is taken: 203 cd/m².
enum HDRTransfer: Equatable, Sendable {
    /// Perceptual quantisation: a number is a luminance.
    case pq
    /// Hybrid log-gamma: a number is light of the scene, to be shown on a display of 1,000 cd/m².
    case hlg

    static let white = 203.0
    /// The brightest light that is told apart: what most displays that pictures are made on reach (BT.2100-2, table 5).
    static let peak = 1_000 / white

    /// The light of one colour's number, 0…1: of the display for `pq`, of the scene (0…1) for `hlg`.
    func light(_ number: Double) -> Double {
        switch self {
        case .pq: Self.pqLuminance(number) / Self.white
        case .hlg: Self.hlgScene(number)
        }
    }

    /// How much brighter the display of `hlg` shows a colour than its scene light, by the scene's luminance (the OOTF of
    /// table 5, with a gamma of 1.2).
    static func hlgGain(_ luminance: Double) -> Double { peak * pow(luminance, 0.2) }

    /// The inverse OETF of table 5.
    private static func hlgScene(_ number: Double) -> Double {
        let (a, b, c) = (0.178_832_77, 0.284_668_92, 0.559_910_73)
        return number <= 0.5 ? number * number / 3 : (exp((number - c) / a) + b) / 12
    }

    // MARK: PQ

    private static let (m1, m2) = (2_610.0 / 16_384, 2_523.0 / 4_096 * 128)
    private static let (c1, c2, c3) = (3_424.0 / 4_096, 2_413.0 / 4_096 * 32, 2_392.0 / 4_096 * 32)

    /// The EOTF of table 4, in cd/m².
    static func pqLuminance(_ number: Double) -> Double {
        let root = pow(max(0, number), 1 / m2)
        return 10_000 * pow(max(0, root - c1) / (c2 - c3 * root), 1 / m1)
    }

    /// Its inverse.
    static func pqNumber(_ luminance: Double) -> Double {
        let root = pow(max(0, luminance) / 10_000, m1)
        return pow((c1 + c2 * root) / (1 + c3 * root), m2)
    }

    // MARK: Tone

    /// What SDR shows of so much light: the same up to 0.43, then less and less, 1 from `peak` on (the EETF of
    /// BT.2390-10, 5.4.1, from 1,000 to 203 cd/m², black as it is).
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
