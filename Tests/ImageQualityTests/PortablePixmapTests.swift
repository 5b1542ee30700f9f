import ImageQuality
import Testing

@Suite struct PortablePixmapTests {
    @Test func `a written pixmap is read again without loss`() {
        let pixmap = PortablePixmap(width: 2, height: 1, bytes: [255, 0, 0, 1, 2, 3])
        #expect(PortablePixmap(file: pixmap.file) == pixmap)
    }

    @Test func `a comment in the header is skipped`() {
        let file = Array("P6\n# made by a tool\n1 1\n255\n".utf8) + [7, 8, 9]
        #expect(PortablePixmap(file: file) == PortablePixmap(width: 1, height: 1, bytes: [7, 8, 9]))
    }

    @Test(arguments: [
        "", "P5\n1 1\n255\n...", "P6\n1 1\n65535\n......", "P6\n2 2\n255\n...", "P6\n0 1\n255\n", "P61 1\n",
    ])
    func `a pixmap of another kind or with too few bytes is refused`(file: String) {
        #expect(PortablePixmap(file: Array(file.utf8)) == nil)
    }

    @Test func `the luma of a pixel has the color weights of JPEG`() {
        let luma = PortablePixmap(width: 3, height: 1, bytes: [255, 0, 0, 0, 255, 0, 0, 0, 255]).luma
        #expect(zip(luma.samples, [76.245, 149.685, 29.07] as [Float]).allSatisfy { abs($0 - $1) < 1e-3 })
    }
}
