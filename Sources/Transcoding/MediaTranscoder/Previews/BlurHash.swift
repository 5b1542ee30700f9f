import Base
import CFFmpeg
import Glibc
import NotificationModel
import TranscodeProtocol

/// An encoder of an image's first cosine components as text (wolt/blurhash, "Algorithm.md"). Transparency is white.
///
/// A component is the mean of its wave over each pixel. The encoder of that repository takes the value at the pixel's
/// edge. As a result, the waves of a uniform color do not cancel. With that encoder, a white image of 8 × 8 pixels gets
/// waves of a quarter of its light in any decoder. Decoders sample the waves, and do not know the size of the image.
enum BlurHash {
    /// Returns the text with four components along the longer side and three along the other. The "Readme.md" of the
    /// same repository calls 4 by 3 a good balance, with more components along the longer side.
    static func text(of image: ColorSamples) -> String {
        let isPortrait = image.height > image.width
        return text(of: image, across: isPortrait ? 3 : 4, down: isPortrait ? 4 : 3)
    }

    /// Returns the text with given numbers of components. At least one of the two numbers has to be more than 1.
    ///
    /// - Parameter across: The number of components from left to right, in the range 1…9.
    /// - Parameter down: The number of components from top to bottom, in the range 1…9.
    static func text(of image: ColorSamples, across: Int, down: Int) -> String {
        let components = components(of: image, across: across, down: down)
        let waves = components.dropFirst()
        let largest = waves.reduce(0) { max($0, abs($1.x), abs($1.y), abs($1.z)) }
        let step = max(0, min(82, Int((largest * 166 - 0.5).rounded(.down))))
        let scale = Double(step + 1) / 166
        let mean = components[0]
        let color = encoded(mean.x) << 16 | encoded(mean.y) << 8 | encoded(mean.z)
        var text = Base83.text(across - 1 + (down - 1) * 9, digits: 1)
        text += Base83.text(step, digits: 1) + Base83.text(color, digits: 4)
        for wave in waves {
            let levels = [wave.x, wave.y, wave.z].map { level($0 / scale) }
            text += Base83.text((levels[0] * 19 + levels[1]) * 19 + levels[2], digits: 2)
        }
        return text
    }

    /// The red, green and blue of one component.
    private typealias Component = SIMD3<Double>

    /// Returns the components. Rows are first reduced to their waves across, which saves two thirds of the work.
    private static func components(of image: ColorSamples, across: Int, down: Int) -> [Component] {
        let columnWaves = waves(across, over: image.width)
        let rowWaves = waves(down, over: image.height)
        var components = [Component](repeating: Component(), count: across * down)
        for row in 0..<image.height {
            let light = image.samples[row * image.width..<(row + 1) * image.width].map(Self.light)
            for column in 0..<across {
                var sum = Component()
                for (wave, light) in zip(columnWaves[column], light) { sum += wave * light }
                for index in 0..<down { components[index * across + column] += rowWaves[index][row] * sum }
            }
        }
        let pixels = Double(image.width * image.height)
        return components.enumerated().map { index, sum in Double(index == 0 ? 1 : 2) / pixels * sum }
    }

    private static func waves(_ count: Int, over length: Int) -> [[Double]] {
        (0..<count).map { wave in
            guard wave > 0 else { return [Double](repeating: 1, count: length) }
            let pixel = Double.pi * Double(wave) / Double(length)
            return (0..<length).map { (sin(pixel * Double($0 + 1)) - sin(pixel * Double($0))) / pixel }
        }
    }

    // MARK: Light and numbers

    /// The light for each code value of sRGB. Colors are averaged as light (IEC 61966-2-1).
    private static let lights = (0...255).map { number in
        let value = Double(number) / 255
        return value <= 0.040_45 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private static func light(_ sample: ColorSamples.Sample) -> Component {
        Component(
            lights[Int(overWhite(sample.red, sample.alpha))], lights[Int(overWhite(sample.green, sample.alpha))],
            lights[Int(overWhite(sample.blue, sample.alpha))])
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

    /// Returns one of 19 levels, in which 9 means 0. Small amounts have finer levels.
    private static func level(_ amount: Double) -> Int {
        let root = amount < 0 ? -(-amount).squareRoot() : amount.squareRoot()
        return max(0, min(18, Int((root * 9 + 9.5).rounded(.down))))
    }
}

/// The generator of an image's preview, which analyzes a scaled image.
enum PreviewMaking {
    /// The longest side of the analyzed image, in pixels. It suffices for a BlurHash and for the count of colors.
    static let side = 64

    /// Makes a preview of a small or a large image.
    ///
    /// - Parameter image: The upright image.
    static func preview(of image: borrowing ScaledImage) throws(TranscodeFailure) -> ImagePreview? {
        let size = image.size.fitting(longestSide: side)
        guard size != image.size else { return preview(of: try ColorSamples(image)) }
        return preview(of: try ColorSamples(image.reduced(to: size)))
    }

    private static func preview(of samples: ColorSamples) -> ImagePreview? {
        ImagePreview(blurhash: BlurHash.text(of: samples), dominantColor: DominantColor.text(of: samples))
    }
}

extension RenditionReport {
    /// The preview, which a reply carries as two texts.
    var preview: ImagePreview? {
        get { blurhash.flatMap { ImagePreview(blurhash: $0, dominantColor: dominantColor) } }
        set {
            blurhash = newValue?.blurhash
            dominantColor = newValue?.dominantColor
        }
    }
}
