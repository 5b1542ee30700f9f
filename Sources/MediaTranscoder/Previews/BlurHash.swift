import Glibc
import NotificationModel

/// Writes a picture as the first few waves of its cosine transform, in some twenty characters (wolt/blurhash,
/// "Algorithm.md"). Transparent parts are white.
///
/// A wave is taken as its mean over each pixel. The repository's encoder takes it at the pixel's edge, so that the waves of
/// a single colour do not add up to nothing: white of 8 by 8 pixels comes out of any decoder in waves of a quarter of its
/// light. Decoders sample the waves, and know nothing of the size of the picture.
enum BlurHash {
    /// Four components along the longer side and three along the other (the same repository's "Readme.md": 4 by 3 is a
    /// good balance, and more are to lie along the longer side).
    static func text(of picture: ColorSamples) -> String {
        let isPortrait = picture.height > picture.width
        return text(of: picture, across: isPortrait ? 3 : 4, down: isPortrait ? 4 : 3)
    }

    /// - Parameters:
    ///   - across: components from left to right, 1…9.
    ///   - down: components from top to bottom, 1…9; together more than one.
    static func text(of picture: ColorSamples, across: Int, down: Int) -> String {
        let components = components(of: picture, across: across, down: down)
        let waves = components.dropFirst()
        let largest = waves.reduce(0) { max($0, abs($1.red), abs($1.green), abs($1.blue)) }
        let step = max(0, min(82, Int((largest * 166 - 0.5).rounded(.down))))
        let scale = Double(step + 1) / 166
        let mean = components[0]
        let color = encoded(mean.red) << 16 | encoded(mean.green) << 8 | encoded(mean.blue)
        var text = Base83.text(across - 1 + (down - 1) * 9, digits: 1)
        text += Base83.text(step, digits: 1) + Base83.text(color, digits: 4)
        for wave in waves {
            let levels = [wave.red, wave.green, wave.blue].map { level($0 / scale) }
            text += Base83.text((levels[0] * 19 + levels[1]) * 19 + levels[2], digits: 2)
        }
        return text
    }

    private struct Component {
        var red = 0.0
        var green = 0.0
        var blue = 0.0

        mutating func add(_ factor: Double, _ other: Component) {
            red += factor * other.red
            green += factor * other.green
            blue += factor * other.blue
        }
    }

    /// Row by row, the waves across first: a third of the work of taking both directions at once.
    private static func components(of picture: ColorSamples, across: Int, down: Int) -> [Component] {
        let columnWaves = waves(across, over: picture.width)
        let rowWaves = waves(down, over: picture.height)
        var components = [Component](repeating: Component(), count: across * down)
        for row in 0..<picture.height {
            let light = picture.samples[row * picture.width..<(row + 1) * picture.width].map(Self.light)
            for column in 0..<across {
                var sum = Component()
                for (wave, light) in zip(columnWaves[column], light) { sum.add(wave, light) }
                for index in 0..<down { components[index * across + column].add(rowWaves[index][row], sum) }
            }
        }
        return components.enumerated().map { index, sum in
            var component = Component()
            component.add((index == 0 ? 1 : 2) / Double(picture.width * picture.height), sum)
            return component
        }
    }

    private static func waves(_ count: Int, over length: Int) -> [[Double]] {
        (0..<count).map { wave in
            guard wave > 0 else { return [Double](repeating: 1, count: length) }
            let pixel = Double.pi * Double(wave) / Double(length)
            return (0..<length).map { (sin(pixel * Double($0 + 1)) - sin(pixel * Double($0))) / pixel }
        }
    }

    // MARK: Light and numbers

    /// Mixing colours is mixing light, which sRGB's numbers are not in proportion to (IEC 61966-2-1).
    private static let lights = (0...255).map { number in
        let value = Double(number) / 255
        return value <= 0.040_45 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private static func light(_ sample: ColorSamples.Sample) -> Component {
        Component(
            red: lights[Int(overWhite(sample.red, sample.alpha))],
            green: lights[Int(overWhite(sample.green, sample.alpha))],
            blue: lights[Int(overWhite(sample.blue, sample.alpha))])
    }

    private static func overWhite(_ color: UInt8, _ alpha: UInt8) -> UInt8 {
        let (color, alpha) = (Int(color), Int(alpha))
        return UInt8((color * alpha + 255 * (255 - alpha) + 127) / 255)
    }

    private static func encoded(_ light: Double) -> Int {
        let light = max(0, min(1, light))
        let value = light <= 0.003_130_8 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
        return Int(value * 255 + 0.5)
    }

    /// One of nineteen, 9 for nothing; small ones are told apart more finely.
    private static func level(_ amount: Double) -> Int {
        let root = amount < 0 ? -(-amount).squareRoot() : amount.squareRoot()
        return max(0, min(18, Int((root * 9 + 9.5).rounded(.down))))
    }
}
