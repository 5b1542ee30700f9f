import ImageQuality
import Testing

@Suite struct StructuralSimilarityTests {
    /// Returns a plane of 40 × 24 pixels.
    private func plane(_ sample: (_ row: Int, _ column: Int) -> Int) -> LumaPlane {
        let samples = (0..<24).flatMap { row in (0..<40).map { Float(sample(row, $0)) } }
        return LumaPlane(width: 40, height: 24, samples: samples)
    }

    private func pattern(_ row: Int, _ column: Int) -> Int { (row * row * 3 + column * 7) % 256 }

    @Test func `the similarity of an image to itself is 1`() throws {
        let image = plane(pattern)
        #expect(try abs(#require(StructuralSimilarity.mean(image, image)) - 1) < 1e-9)
    }

    @Test func `the similarity of two flat images depends only on their brightness`() throws {
        // The paper's formula without variance is (2·100·120 + C₁) / (100² + 120² + C₁).
        let expected = (24_000 + 6.502_5) / (24_400 + 6.502_5)
        let similarity = try #require(StructuralSimilarity.mean(plane { _, _ in 100 }, plane { _, _ in 120 }))
        #expect(abs(similarity - expected) < 1e-6)
    }

    /// The values are those of scikit-image 0.26's `structural_similarity` with the options that the comment of
    /// `StructuralSimilarity` lists.
    @Test func `the similarity of a noisy or wrapped image equals the similarity in scikit-image`() throws {
        let noisy = plane { row, column in
            min(255, max(0, pattern(row, column) + (row * 5 + column * 11) % 23 - 11))
        }
        let wrapped = plane { row, column in (pattern(row, column) + (row * column) % 31) % 256 }
        let ofNoisy = try #require(StructuralSimilarity.mean(plane(pattern), noisy))
        let ofWrapped = try #require(StructuralSimilarity.mean(plane(pattern), wrapped))
        #expect(abs(ofNoisy - 0.995_740_711) < 1e-5)
        #expect(abs(ofWrapped - 0.676_268_933) < 1e-5)
    }

    @Test func `images of different sizes are not compared`() {
        let narrow = LumaPlane(width: 20, height: 48, samples: [Float](repeating: 1, count: 960))
        #expect(StructuralSimilarity.mean(plane(pattern), narrow) == nil)
    }

    @Test func `an image that is smaller than the window is not compared`() {
        let small = LumaPlane(width: 10, height: 10, samples: [Float](repeating: 1, count: 100))
        #expect(StructuralSimilarity.mean(small, small) == nil)
    }
}
