import Base
import Testing

@testable import MediaTranscoder

@Suite struct ImageSizeTests {
    @Test func `a fitted size is not larger than the original, and has at least one pixel`() {
        #expect(PixelSize(4_000, 3_000).fitting(longestSide: 1_024) == PixelSize(1_024, 768))
        #expect(PixelSize(100, 50).fitting(longestSide: 1_024) == PixelSize(100, 50))
        #expect(PixelSize(10_000, 1).fitting(longestSide: 100) == PixelSize(100, 1))
        #expect(PixelSize(641, 3).even == PixelSize(640, 2))
    }

    @Test(arguments: [(1_024, 1), (1_000, 2), (400, 3), (4_000, 0), (2_001, 0), (2_000, 1), (1, 3)])
    func `a JPEG is halved during decoding as long as the result is large enough`(_ wanted: Int, _ halvings: Int) {
        let size = PixelSize(4_000, 3_000)
        #expect(ImageDecoding.halvings(from: size, to: size.fitting(longestSide: wanted)) == halvings)
    }
}
