import Foundation
import ImageQuality
import TestSupport
import Testing

/// Tests that the comparison finds the faults of an image, and accepts the differences that scaling and encoding make.
@Suite struct ImageComparisonTests {
    private let form = ImageForm(side: 1_024, maxBytes: 1 << 20)

    /// Returns an image with four quarters of different colors, and a dark bar at the top left.
    private func image(_ width: Int = 96, _ height: Int = 64, alpha: UInt8 = 255) -> ImagePixels {
        let quarters: [[UInt8]] = [[208, 32, 32], [32, 168, 64], [40, 64, 208], [224, 208, 40]]
        let bytes = (0..<height).flatMap { y in
            (0..<width).flatMap { x in
                let isBar = x * 6 > width && x * 3 < width && y * 2 < height
                return (isBar ? [16, 16, 16] : quarters[y * 2 / height * 2 + x * 2 / width]) + [alpha]
            }
        }
        return ImagePixels(width: width, height: height, bytes: bytes)
    }

    private func observed(_ pixels: ImagePixels) -> ObservedImage { ObservedImage(format: "PNG", pixels: pixels) }

    private func flaws(_ rendition: ImagePixels, of source: ImagePixels, bytes: Int = 1_000) -> [ImageFlaw] {
        ImageComparison().flaws(of: observed(rendition), byteCount: bytes, madeOf: observed(source), as: form)
    }

    private func changed(
        _ image: ImagePixels, _ change: (_ x: Int, _ y: Int, _ pixel: (Int, Int) -> [UInt8]) -> [UInt8]
    ) -> ImagePixels {
        let pixel = { (x: Int, y: Int) in
            Array(image.bytes[(y * image.width + x) * 4..<(y * image.width + x) * 4 + 4])
        }
        return ImagePixels(
            width: image.width, height: image.height,
            bytes: (0..<image.height).flatMap { y in (0..<image.width).flatMap { change($0, y, pixel) } })
    }

    @Test func `the comparison finds no flaw in an equal image and in an image with a little noise`() {
        #expect(flaws(image(), of: image()).isEmpty)
        let noisy = changed(image()) { x, y, pixel in
            pixel(x, y).prefix(3).map { UInt8(clamping: Int($0) + (x * 7 + y * 3) % 9 - 4) } + [255]
        }
        #expect(flaws(noisy, of: image()).isEmpty)
    }

    @Test func `the colors are not compared if the oracle's image has another transfer than sRGB`() {
        let darker = changed(image()) { x, y, pixel in pixel(x, y).prefix(3).map { $0 / 2 } + [255] }
        var source = observed(image())
        func flaws(_ pixels: ImagePixels) -> [ImageFlaw] {
            ImageComparison().flaws(of: observed(pixels), byteCount: 1, madeOf: source, as: form)
        }
        #expect(!flaws(darker).isEmpty)
        source.transfer = "pq"
        #expect(flaws(darker).isEmpty)
        #expect(!flaws(changed(image()) { x, y, pixel in pixel(95 - x, y) }).isEmpty)
    }

    @Test func `the comparison finds a mirrored, rotated or shifted image`() {
        let (width, height) = (96, 64)
        let changes: [(Int, Int, (Int, Int) -> [UInt8]) -> [UInt8]] = [
            { x, y, pixel in pixel(width - 1 - x, y) }, { x, y, pixel in pixel(x, height - 1 - y) },
            { x, y, pixel in pixel(width - 1 - x, height - 1 - y) },
            { x, y, pixel in pixel(min(width - 1, x + 8), y) },
        ]
        for change in changes {
            let flaws = flaws(changed(image(), change), of: image())
            #expect(flaws.contains { if case .color = $0 { true } else { false } })
            #expect(flaws.contains { if case .structure = $0 { true } else { false } })
        }
    }

    @Test func `the comparison finds wrong colors`() {
        let swapped = changed(image()) { x, y, pixel in [2, 1, 0, 3].map { pixel(x, y)[$0] } }
        let inverted = changed(image()) { x, y, pixel in pixel(x, y).prefix(3).map { 255 - $0 } + [255] }
        let pale = changed(image()) { x, y, pixel in pixel(x, y).prefix(3).map { $0 / 4 * 3 + 48 } + [255] }
        for other in [swapped, inverted, pale] {
            #expect(flaws(other, of: image()).contains { if case .color = $0 { true } else { false } })
        }
    }

    @Test func `the comparison finds a missing, additional or different alpha channel`() {
        let half = image(alpha: 128)
        #expect(flaws(image(), of: half).contains(.alphaLost))
        #expect(flaws(half, of: image()).contains(.alphaInvented))
        let white = ImagePixels(width: 64, height: 64, bytes: [UInt8](repeating: 255, count: 64 * 64 * 4))
        let holed = changed(white) { x, _, pixel in Array(pixel(x, 0).prefix(3)) + [x < 32 ? 0 : 255] }
        let mirrored = changed(white) { x, _, pixel in Array(pixel(x, 0).prefix(3)) + [x < 32 ? 255 : 0] }
        #expect(flaws(holed, of: holed).isEmpty)
        #expect(flaws(mirrored, of: holed) == [.opacity(column: 0, row: 0, distance: 255)])
    }

    @Test func `the comparison finds a wrong size, a file with too many bytes, and metadata`() {
        #expect(flaws(image(95, 64), of: image()).first == .size(expected: [96, 64], found: [95, 64]))
        #expect(flaws(image(), of: image(), bytes: 2 << 20) == [.tooManyBytes(2 << 20, most: 1 << 20)])
        var carrier = observed(image())
        carrier.carries = ["exif", "icc"]
        let found = ImageComparison().flaws(of: carrier, byteCount: 1, madeOf: observed(image()), as: form)
        #expect(found == [.metadata(["exif"])])
    }

    @Test func `the image form determines the size of the rendition`() {
        #expect(form.size(of: 3_000, 4_000) == (768, 1_024))
        #expect(form.size(of: 5_000, 1) == (1_024, 1))
        #expect(form.size(of: 1, 1) == (1, 1))
        let cut = ImageForm(side: 1_024, isCut: true, maxBytes: 1)
        #expect(cut.size(of: 3_000, 4_000) == (1_024, 512))
        #expect(cut.size(of: 4_000, 1_000) == (1_024, 256))
        #expect(cut.size(of: 1, 1) == (1, 1))
    }

    /// The reference for a cropped image is the `ImageLook` of the source's center.
    @Test func `a cropped image is compared with the center of its source`() {
        let whole = image(64, 64)
        var source = observed(whole)
        let centre = ImagePixels(width: 64, height: 32, bytes: Array(whole.bytes[64 * 16 * 4..<64 * 48 * 4]))
        source.cut = ImageLook(of: centre)
        let cut = ImageForm(side: 64, isCut: true, maxBytes: 1 << 20)
        let found = { ImageComparison().flaws(of: observed($0), byteCount: 1, madeOf: source, as: cut) }
        #expect(found(centre).isEmpty)
        let top = ImagePixels(width: 64, height: 32, bytes: Array(whole.bytes[..<(64 * 32 * 4)]))
        #expect(!found(top).isEmpty)
    }

    /// Tests that the `ImageLook` of a decoded image equals the oracle's. The line is Pillow's output for a PNG of 3 by
    /// 2 pixels, drawn by hand.
    @Test func `the ImageLook of a decoded image equals the ImageLook of the oracle`() throws {
        let pixels = ImagePixels(
            width: 3, height: 2,
            bytes: [
                255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 10, 20, 30, 255, 40, 50, 60, 128, 0, 0, 0, 0,
            ])
        let line = try JSONDecoder().decode(OracleLine.self, from: Data(Self.sixPixels.utf8))
        let (found, wanted) = (observed(pixels), try line.result.get())
        #expect(found.whole.grid == wanted.whole.grid && found.whole.opacity == wanted.whole.opacity)
        #expect(found.whole.sure == wanted.whole.sure)
        #expect((found.whole.hash ^ wanted.whole.hash) & wanted.whole.sure == 0)
        #expect(found.alpha && wanted.alpha && wanted.width == 3 && wanted.height == 2)
    }

    @Test func `the parser of the oracle's output refuses a damaged line`() {
        for damage in [("ff0000", "ff00"), ("\"hash\": \"", "\"hash\": \"x"), ("\"width\": 3", "\"width\": \"3\"")] {
            let text = Self.sixPixels.replacingOccurrences(of: damage.0, with: damage.1)
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(OracleLine.self, from: Data(text.utf8)) }
        }
    }

    private static let sixPixels = #"""
        {"path": "six.png", "format": "PNG", "width": 3, "height": 2, "frames": 1, "alpha": true, "carri\#
        es": [], "whole": {"grid": "ff0000ff0000ff000000ff0000ff000000ff0000ff0000ffff0000ff0000ff000000\#
        ff0000ff000000ff0000ff0000ffff0000ff0000ff000000ff0000ff000000ff0000ff0000ffff0000ff0000ff000000\#
        ff0000ff000000ff0000ff0000ff0a141e0a141e0a141e93989d93989dffffffffffffffffff0a141e0a141e0a141e93\#
        989d93989dffffffffffffffffff0a141e0a141e0a141e93989d93989dffffffffffffffffff0a141e0a141e0a141e93\#
        989d93989dffffffffffffffffff", "opacity": "fffffffffffffffffffffffffffffffffffffffffffffffffffff\#
        fffffffffffffffff8080000000ffffff8080000000ffffff8080000000ffffff8080000000", "hash": "1c4949b66\#
        7499cb6", "sure": "7fff00fd00ed00ed"}, "cut": {"grid": "ff0000ff0000ff000000ff0000ff000000ff0000\#
        ff0000ffff0000ff0000ff000000ff0000ff000000ff0000ff0000ffff0000ff0000ff000000ff0000ff000000ff0000\#
        ff0000ffff0000ff0000ff000000ff0000ff000000ff0000ff0000ff0a141e0a141e0a141e93989d93989dffffffffff\#
        ffffffff0a141e0a141e0a141e93989d93989dffffffffffffffffff0a141e0a141e0a141e93989d93989dffffffffff\#
        ffffffff0a141e0a141e0a141e93989d93989dffffffffffffffffff", "opacity": "fffffffffffffffffffffffff\#
        fffffffffffffffffffffffffffffffffffffffffffff8080000000ffffff8080000000ffffff8080000000ffffff808\#
        0000000", "hash": "1c4949b667499cb6", "sure": "7fff00fd00ed00ed"}}
        """#
}
