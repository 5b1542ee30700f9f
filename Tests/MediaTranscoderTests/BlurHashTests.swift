import Base
import Glibc
import Testing

@testable import MediaTranscoder

/// The tests of BlurHash against the results of `scripts/blurhash-oracle` for the same pixels, and against a decoder.
struct BlurHashTests {
    struct Reference: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let size: (width: Int, height: Int)
        var components = (across: 4, down: 3)
        let hash: String
        /// Returns the red, green and blue of the pixel at x and y, modulo 256.
        let image: @Sendable (_ x: Int, _ y: Int) -> [Int]
    }

    private static let references = [
        Reference(
            testDescription: "a landscape", size: (32, 20), hash: "LkE{U#28$1SJdFfRfUfTgYfUfSfM",
            image: { x, y in [x * 7, y * 11, x * y] }),
        Reference(
            testDescription: "a portrait", size: (20, 32), components: (3, 4), hash: "Tf99leFCsQd=fRfUdHfUfSh9fUfM",
            image: { x, y in [x * 7, y * 11, x * y] }),
        Reference(
            testDescription: "four quarters", size: (64, 48), hash: "LzKTh:QOfQp9Q,}ifQI]fQfQfQfQ",
            image: { x, y in
                if y < 24 {
                    x < 32 ? [230, 20, 20] : [20, 160, 40]
                } else {
                    x < 32 ? [30, 60, 220] : [250, 240, 10]
                }
            }),
        Reference(
            testDescription: "one pixel", size: (1, 1), hash: "L0M|T9fQfQfQfQfQfQfQfQfQfQfQ",
            image: { _, _ in [200, 100, 50] }),
        Reference(
            testDescription: "black", size: (8, 8), hash: "L00000fQfQfQfQfQfQfQfQfQfQfQ",
            image: { _, _ in [0, 0, 0] }),
        Reference(
            testDescription: "white", size: (8, 8), hash: "L0TSUAfQfQfQfQfQfQfQfQfQfQfQ",
            image: { _, _ in [255, 255, 255] }),
        Reference(
            testDescription: "one row", size: (64, 1), hash: "L*HLu04J%HS{fQfQfQfQfQfQfQfQ",
            image: { x, _ in [x * 4, 255 - x * 4, 128] }),
        Reference(
            testDescription: "noise, with all components there can be", size: (64, 64), components: (9, 9),
            hash:
                "|7HLbzKbD*KsF:ELF:EdAC4Z9eB#BOFsJQR*n,wOQ.x-S[$xXl$is*+#WYJ|twR%jXS2njS0a^R.y_L.lPnQnnTH#AOnogQDXzVxwKN"
                + "Lg0s*WFOFQVmDjEVta_nhofoaX7b-X*aPnhsAR.WAjWs=m.Sim@rwRWn-X7xbWZ",
            image: { x, y in [x * x + y * 3, y * y * 5 + x, x * y * 7 + 13] }),
    ]

    private func samples(_ reference: Reference) -> ColorSamples {
        ColorSamples(width: reference.size.width, height: reference.size.height) { x, y in
            let color = reference.image(x, y).map { UInt8(truncatingIfNeeded: $0) }
            return .init(red: color[0], green: color[1], blue: color[2])
        }
    }

    @Test(arguments: references)
    func `a hash equals the reference hash of the mean waves`(_ reference: Reference) {
        let (across, down) = reference.components
        #expect(BlurHash.text(of: samples(reference), across: across, down: down) == reference.hash)
    }

    @Test(arguments: references)
    func `a hash has more components along the longer side`(_ reference: Reference) {
        guard reference.components.across < 9 else { return }
        #expect(BlurHash.text(of: samples(reference)) == reference.hash)
    }

    /// Decodes a hash as the decoders of wolt/blurhash do, with waves that are sampled at the pixels' edges. The rows
    /// hold red, green and blue, 0…255.
    private func decoded(_ hash: String, width: Int, height: Int) -> [[Double]] {
        let digits = Array(hash.utf8).map { Base83Digits.value(of: $0) }
        let (across, down) = (digits[0] % 9 + 1, digits[0] / 9 + 1)
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 83 + $1 } }
        func light(_ value: Int) -> Double {
            let value = Double(value) / 255
            return value <= 0.040_45 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        let mean = number(2..<6)
        var parts = [[light(mean >> 16), light(mean >> 8 & 255), light(mean & 255)]]
        for index in 1..<across * down {
            let levels = number(4 + 2 * index..<6 + 2 * index)
            parts.append(
                [levels / 361, levels / 19 % 19, levels % 19].map { level in
                    let root = Double(level - 9) / 9
                    return root * abs(root) * Double(digits[1] + 1) / 166
                })
        }
        return (0..<width * height).map { place in
            (0..<3).map { channel in
                var sum = 0.0
                for (index, part) in parts.enumerated() {
                    sum +=
                        part[channel] * cos(.pi * Double(index % across * (place % width)) / Double(width))
                        * cos(.pi * Double(index / across * (place / width)) / Double(height))
                }
                let light = max(0, min(1, sum))
                return 255 * (light <= 0.003_130_8 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055)
            }
        }
    }

    @Test(arguments: [(1, 1), (2, 3), (5, 4), (8, 8), (64, 43)])
    func `a decoder shows a uniform color as a uniform color`(_ width: Int, _ height: Int) {
        let color = [250, 240, 200]
        let flat = ColorSamples(width: width, height: height) { _, _ in .init(red: 250, green: 240, blue: 200) }
        for pixel in decoded(BlurHash.text(of: flat), width: 32, height: 32) {
            #expect(zip(pixel, color).allSatisfy { abs($0 - Double($1)) < 1 }, "\(pixel)")
        }
    }

    @Test func `a decoder shows a row of colors along the row and without vertical waves`() {
        let row = ColorSamples(width: 64, height: 1) { x, _ in
            .init(red: UInt8(x * 4), green: UInt8(255 - x * 4), blue: 128)
        }
        let pixels = decoded(BlurHash.text(of: row), width: 32, height: 32)
        for (place, pixel) in pixels.enumerated() where (4..<28).contains(place % 32) {
            let red = Double(place % 32 * 8)
            #expect(abs(pixel[0] - red) < 20 && abs(pixel[1] - (255 - red)) < 20, "\(place): \(pixel)")
        }
    }

    @Test func `a transparent pixel counts as white`() {
        let hidden = ColorSamples(width: 8, height: 8) { _, _ in .init(red: 9, green: 8, blue: 7, alpha: 0) }
        #expect(BlurHash.text(of: hidden) == "L0TSUAfQfQfQfQfQfQfQfQfQfQfQ")
        let half = ColorSamples(width: 1, height: 1) { _, _ in .init(red: 145, green: 0, blue: 0, alpha: 128) }
        let mixed = ColorSamples(width: 1, height: 1) { _, _ in .init(red: 200, green: 127, blue: 127) }
        #expect(BlurHash.text(of: half) == BlurHash.text(of: mixed))
    }
}

private enum Base83Digits {
    private static let all = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

    static func value(of digit: UInt8) -> Int { all.firstIndex(of: digit) ?? 0 }
}
