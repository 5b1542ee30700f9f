import Testing

@testable import MediaTranscoder

struct DominantColorTests {
    /// Returns the color of one row of samples.
    private func color(_ samples: [ColorSamples.Sample]) -> String? {
        DominantColor.text(of: ColorSamples(width: samples.count, height: 1) { x, _ in samples[x] })
    }

    private func gray(_ value: UInt8, alpha: UInt8 = 255) -> ColorSamples.Sample {
        .init(red: value, green: value, blue: value, alpha: alpha)
    }

    @Test func `a uniform color is reported exactly`() {
        #expect(color([.init(red: 0x7A, green: 0x8F, blue: 0x3C)]) == "#7a8f3c")
        #expect(color([.init(red: 0, green: 5, blue: 255)]) == "#0005ff")
    }

    @Test func `the dominant color is the color of most pixels and not the mean of all pixels`() {
        let red = ColorSamples.Sample(red: 250, green: 10, blue: 10)
        let blue = ColorSamples.Sample(red: 10, green: 10, blue: 250)
        #expect(color([red, red, red, blue, blue]) == "#fa0a0a")
        #expect(color([red, blue, blue]) == "#0a0afa")
    }

    @Test func `the noise within a box is averaged`() {
        #expect(color([gray(0x80), gray(0x82), gray(0x8F), gray(0), gray(255)]) == "#868686")
        // A half is rounded up.
        #expect(color([gray(0x80), gray(0x81)]) == "#818181")
    }

    @Test func `the dominant color ignores transparent pixels and is nil without other pixels`() {
        #expect(color([gray(0, alpha: 0), gray(0, alpha: 127), gray(200, alpha: 128)]) == "#c8c8c8")
        #expect(color([gray(0, alpha: 0), gray(90, alpha: 127)]) == nil)
        #expect(color([]) == nil)
    }

    @Test func `the darkest of equally frequent colors is the dominant color`() {
        #expect(color([gray(255), gray(17), gray(100)]) == "#111111")
        #expect(color([gray(100), gray(255), gray(17)]) == "#111111")
    }
}
