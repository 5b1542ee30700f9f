/// The brightness of an image, with one number for each pixel, in rows from the top without gaps.
package struct LumaPlane: Sendable, Equatable {
    package let width: Int
    package let height: Int
    package let samples: [Float]

    /// - Precondition: `samples` has one value for each pixel.
    package init(width: Int, height: Int, samples: [Float]) {
        precondition(samples.count == width * height)
        self.width = width
        self.height = height
        self.samples = samples
    }

    /// Returns a plane whose samples are computed from those of two planes of the same size.
    func combined(with other: LumaPlane, _ combine: (Float, Float) -> Float) -> LumaPlane {
        LumaPlane(width: width, height: height, samples: zip(samples, other.samples).map(combine))
    }

    /// Returns the weighted means of neighbours, across and down, for all positions at which the whole window is within
    /// the plane. In each direction, the result is smaller than the plane by the window's size minus one.
    ///
    /// - Parameter window: The weights in both directions, with the sum 1.
    func filtered(_ window: [Float]) -> LumaPlane {
        let (newWidth, newHeight) = (width - window.count + 1, height - window.count + 1)
        var across = [Float](repeating: 0, count: newWidth * height)
        for row in 0..<height {
            for column in 0..<newWidth {
                var sum: Float = 0
                for (index, weight) in window.enumerated() { sum += weight * samples[row * width + column + index] }
                across[row * newWidth + column] = sum
            }
        }
        var down = [Float](repeating: 0, count: newWidth * newHeight)
        for (index, weight) in window.enumerated() {
            for sample in down.indices { down[sample] += weight * across[sample + index * newWidth] }
        }
        return LumaPlane(width: newWidth, height: newHeight, samples: down)
    }
}
