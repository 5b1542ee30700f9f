import Base
import MediaHeaders
import Testing

/// Tests of framings against an image of numbered pixels, which is turned and cropped pixel by pixel.
@Suite struct ImageFramingTests {
    private typealias Pixels = [[Int]]

    private static let numbered: Pixels = (0..<5).map { row in (0..<7).map { row * 10 + $0 } }

    private static func turned(_ image: Pixels, _ orientation: ImageOrientation) -> Pixels {
        let transposed = image[0].indices.map { column in image.map { $0[column] } }
        return switch orientation {
        case .upright: image
        case .mirrored: image.map { $0.reversed() }
        case .turnedHalf: image.reversed().map { $0.reversed() }
        case .flipped: image.reversed()
        case .transposed: transposed
        case .turnedRight: transposed.map { $0.reversed() }
        case .transversed: transposed.reversed().map { $0.reversed() }
        case .turnedLeft: transposed.reversed()
        }
    }

    private static func cut(_ image: Pixels, _ part: Rectangle<Int>) -> Pixels {
        image[part.y..<part.y + part.height].map { Array($0[part.x..<part.x + part.width]) }
    }

    private static func shown(_ framing: ImageFraming) -> Pixels {
        turned(cut(numbered, framing.crop), framing.orientation)
    }

    @Test(arguments: ImageOrientation.allCases, ImageOrientation.allCases)
    func `two rotations equal one combined rotation`(_ first: ImageOrientation, _ second: ImageOrientation) {
        let both = Self.turned(Self.turned(Self.numbered, first), second)
        #expect(Self.turned(Self.numbered, first.then(second)) == both)
    }

    @Test(arguments: ImageOrientation.allCases, ImageOrientation.allCases)
    func `crops between rotations equal one crop and one rotation`(
        _ first: ImageOrientation, _ second: ImageOrientation
    ) {
        var framing = ImageFraming(width: 7, height: 5)
        var pixels = Self.numbered
        for (part, orientation) in [
            (Rectangle<Int>(x: 1, y: 0, width: 5, height: 5), first),
            (Rectangle<Int>(x: 0, y: 1, width: 4, height: 4), second),
            (Rectangle<Int>(x: 1, y: 1, width: 2, height: 3), first),
        ] {
            // The part beyond the image is omitted.
            let inside = Rectangle<Int>(
                x: part.x, y: part.y, width: min(part.width, pixels[0].count - part.x),
                height: min(part.height, pixels.count - part.y))
            pixels = Self.turned(Self.cut(pixels, inside), orientation)
            let remains = framing.crop(to: part)
            #expect(remains)
            framing.turn(orientation)
            #expect(Self.shown(framing) == pixels)
            #expect((framing.width, framing.height) == (pixels[0].count, pixels.count))
        }
    }

    @Test(arguments: [
        Rectangle<Int>(x: 7, y: 0, width: 1, height: 1), Rectangle<Int>(x: -3, y: 0, width: 3, height: 5),
        Rectangle<Int>(x: 0, y: 5, width: 7, height: .max), Rectangle<Int>(x: 0, y: 0, width: 0, height: 5),
    ])
    func `a crop that leaves no pixel is ignored`(_ part: Rectangle<Int>) {
        var framing = ImageFraming(width: 7, height: 5)
        let remains = framing.crop(to: part)
        #expect(!remains)
        #expect(framing == ImageFraming(width: 7, height: 5))
    }

    @Test func `a crop that reaches beyond the image ends at its edge`() {
        var framing = ImageFraming(width: 7, height: 5)
        framing.crop(to: Rectangle<Int>(x: -2, y: 3, width: .max, height: .max))
        #expect(framing.crop == Rectangle<Int>(x: 0, y: 3, width: 7, height: 2))
    }
}
