import Glibc

/// The similarity of the structure of two images: 1 for equal images, about 0 for unrelated ones.
///
/// The value is the mean SSIM of Wang, Bovik, Sheikh, Simoncelli, "Image Quality Assessment: From Error Visibility to
/// Structural Similarity" (2004), of the luma. The paper defines the window (Gaussian, 11 × 11, σ 1.5) and the
/// constants (K₁ 0.01, K₂ 0.03, range 255). The mean is over all positions at which the whole window is within the
/// image. scikit-image computes the same value with `gaussian_weights=True, sigma=1.5, use_sample_covariance=False,
/// data_range=255`.
package enum StructuralSimilarity {
    private static let window: [Float] = {
        let weights = (-5...5).map { exp(-Double($0 * $0) / (2 * 1.5 * 1.5)) }
        let sum = weights.reduce(0, +)
        return weights.map { Float($0 / sum) }
    }()

    /// Returns the mean SSIM; `nil` if the sizes differ or are smaller than the window.
    package static func mean(_ first: LumaPlane, _ second: LumaPlane) -> Double? {
        guard first.width == second.width, first.height == second.height, first.width >= window.count,
            first.height >= window.count
        else { return nil }
        // The middle of the range is subtracted, because the squares of smaller numbers lose less precision in a 32-bit
        // float.
        let middle: Float = 128
        let (x, y) = (first.moved(by: -middle), second.moved(by: -middle))
        let (meanX, meanY) = (x.filtered(window), y.filtered(window))
        let squareX = x.combined(with: x, *).filtered(window)
        let squareY = y.combined(with: y, *).filtered(window)
        let product = x.combined(with: y, *).filtered(window)
        let (constant1, constant2) = (0.01 * 255 * 0.01 * 255, 0.03 * 255 * 0.03 * 255)
        var sum = 0.0
        for index in meanX.samples.indices {
            let (shiftedX, shiftedY) = (Double(meanX.samples[index]), Double(meanY.samples[index]))
            let varianceX = Double(squareX.samples[index]) - shiftedX * shiftedX
            let varianceY = Double(squareY.samples[index]) - shiftedY * shiftedY
            let covariance = Double(product.samples[index]) - shiftedX * shiftedY
            let (muX, muY) = (shiftedX + Double(middle), shiftedY + Double(middle))
            let luminance = (2 * muX * muY + constant1) / (muX * muX + muY * muY + constant1)
            sum += luminance * (2 * covariance + constant2) / (varianceX + varianceY + constant2)
        }
        return sum / Double(meanX.samples.count)
    }
}

extension LumaPlane {
    fileprivate func moved(by offset: Float) -> LumaPlane {
        LumaPlane(width: width, height: height, samples: samples.map { $0 + offset })
    }
}
