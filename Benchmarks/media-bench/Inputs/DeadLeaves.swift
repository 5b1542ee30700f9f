import BenchProcess
import ImageQuality

/// A synthetic image with the statistics of a photograph: edges of all sizes, textures and grain.
///
/// The image consists of overlapping discs, whose radii are distributed as r⁻³. This distribution results in the
/// spectrum of natural images (about 1/f in amplitude) and in their edges. The source is Lee, Mumford, Huang,
/// "Occlusion Models for Natural Images", 2001. Noise of all scales is added as texture. A filter softens the image
/// like a lens, and grain is added like that of a sensor. The amounts are chosen so that 12 megapixels as a JPEG of
/// quality 90 have about 4.2 MB, like a phone's photo.
struct DeadLeaves {
    let width: Int
    let height: Int
    let seed: UInt64

    private static let radii: ClosedRange<Float> = 4...1_000
    /// The strength of the texture at each scale, in levels of brightness.
    private static let texture: Float = 1
    /// The largest change of a pixel by the grain, in levels of brightness.
    private static let grain = 3

    func drawn() -> PortablePixmap {
        var generator = SplitMix(seed: seed)
        var bytes = [UInt8](repeating: 128, count: width * height * 3)
        // The mean area of a disc is 560 pixels, so this number of discs covers each pixel about three times.
        for _ in 0..<width * height / 180 { draw(leaf(&generator), into: &bytes) }
        addTexture(to: &bytes, &generator)
        bytes = softened(bytes, along: 3, count: bytes.count)
        bytes = softened(bytes, along: width * 3, count: bytes.count)
        addGrain(to: &bytes, &generator)
        return PortablePixmap(width: width, height: height, bytes: bytes)
    }

    private func leaf(_ generator: inout SplitMix) -> Leaf {
        let (least, most) = (Self.radii.lowerBound, Self.radii.upperBound)
        let share = Float.random(in: 0..<1, using: &generator)
        // The radius is computed with the inverse of the distribution function.
        let radius = least / (1 - share * (1 - least * least / (most * most))).squareRoot()
        let brightness = Float.random(in: 25...230, using: &generator)
        func color() -> Float { brightness + Float.random(in: -40...40, using: &generator) }
        func slope() -> Float { Float.random(in: -25...25, using: &generator) / radius }
        return Leaf(
            x: Float.random(in: -radius...Float(width) + radius, using: &generator),
            y: Float.random(in: -radius...Float(height) + radius, using: &generator), radius: radius,
            color: (color(), color(), color()), slope: (slope(), slope()))
    }

    private func draw(_ leaf: Leaf, into bytes: inout [UInt8]) {
        let rows = max(0, Int(leaf.y - leaf.radius))..<max(0, min(height, Int(leaf.y + leaf.radius) + 1))
        for row in rows {
            let dy = Float(row) - leaf.y
            let reach = (max(0, leaf.radius * leaf.radius - dy * dy)).squareRoot()
            let (first, last) = (max(0, Int(leaf.x - reach)), min(width, Int(leaf.x + reach) + 1))
            for column in first..<max(first, last) {
                let light = (Float(column) - leaf.x) * leaf.slope.0 + dy * leaf.slope.1
                let offset = (row * width + column) * 3
                bytes[offset] = Self.sample(leaf.color.0 + light)
                bytes[offset + 1] = Self.sample(leaf.color.1 + light)
                bytes[offset + 2] = Self.sample(leaf.color.2 + light)
            }
        }
    }

    /// Adds noise of all scales from 256 pixels to 2. All scales have the same strength, which is an amplitude of 1/f.
    private func addTexture(to bytes: inout [UInt8], _ generator: inout SplitMix) {
        var noise = [Float](repeating: 0, count: width * height)
        for scale in (1...8).map({ 1 << $0 }) {
            let (columns, rows) = (width / scale + 2, height / scale + 2)
            let lattice = (0..<columns * rows).map { _ in
                Float.random(in: -2 * Self.texture...2 * Self.texture, using: &generator)
            }
            for row in 0..<height {
                let (above, down) = (row / scale * columns, Float(row % scale) / Float(scale))
                for column in 0..<width {
                    let (left, right) = (above + column / scale, Float(column % scale) / Float(scale))
                    let upper = lattice[left] * (1 - right) + lattice[left + 1] * right
                    let lower = lattice[left + columns] * (1 - right) + lattice[left + columns + 1] * right
                    noise[row * width + column] += upper * (1 - down) + lower * down
                }
            }
        }
        for offset in bytes.indices { bytes[offset] = Self.sample(Float(bytes[offset]) + noise[offset / 3]) }
    }

    /// Returns the means of three neighbours, in which the middle one has the weight two.
    private func softened(_ bytes: [UInt8], along stride: Int, count: Int) -> [UInt8] {
        var soft = bytes
        for offset in stride..<count - stride {
            let sum = Int(bytes[offset - stride]) + 2 * Int(bytes[offset]) + Int(bytes[offset + stride])
            soft[offset] = UInt8((sum + 2) / 4)
        }
        return soft
    }

    /// Adds grain that is equal in all colors, like the remaining grain after a camera has smoothed the colors.
    private func addGrain(to bytes: inout [UInt8], _ generator: inout SplitMix) {
        let range = UInt64(2 * Self.grain + 1)
        for pixel in 0..<width * height {
            let number = generator.next()
            // The sum of two numbers has a triangular distribution.
            let (first, second) = (Int(number % range), Int((number >> 32) % range))
            let change = (first + second) / 2 - Self.grain
            for offset in pixel * 3..<pixel * 3 + 3 {
                bytes[offset] = UInt8(min(255, max(0, Int(bytes[offset]) + change)))
            }
        }
    }

    private static func sample(_ value: Float) -> UInt8 { UInt8(min(255, max(0, value))) }
}

/// A disc of one color, which is brighter on one side.
private struct Leaf {
    var x: Float
    var y: Float
    var radius: Float
    var color: (Float, Float, Float)
    /// The change of brightness per pixel to the right and down, in levels.
    var slope: (Float, Float)
}
