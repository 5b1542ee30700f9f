import Testing

@testable import Base

@Suite struct GeometryTests {
    @Test(arguments: [
        (
            Rectangle<Double>(x: 0, y: 0, width: 1, height: 1),
            Rectangle<UInt32>(x: 0, y: 0, width: 1_000_000, height: 1_000_000)
        ),
        (
            .init(x: 0.25, y: 0.5, width: 0.5, height: 0.25),
            .init(x: 250_000, y: 500_000, width: 500_000, height: 250_000)
        ),
        (.init(x: 0, y: 0, width: 1e-9, height: 1e-9), .init(x: 0, y: 0, width: 1, height: 1)),
        (.init(x: 1, y: 1, width: 0, height: 0), .init(x: 999_999, y: 999_999, width: 1, height: 1)),
    ])
    func `a rectangle of millionths is not empty, and begins within the image`(
        unit: Rectangle<Double>, millionths: Rectangle<UInt32>
    ) {
        #expect(Rectangle(millionths: unit) == millionths)
    }

    @Test(arguments: [
        (Rectangle<Double>(x: 0, y: 0, width: 1, height: 1), false), (.init(x: 0.5, y: 0, width: 1, height: 1), false),
        (.init(x: 1, y: 0, width: 1, height: 1), true), (.init(x: 0, y: 1, width: 1, height: 1), true),
        (.init(x: 0, y: 0, width: 0, height: 1), true), (.init(x: 0, y: 0, width: 1, height: 0), true),
    ])
    func `a rectangle that is empty or begins at the end contains no part of the image`(
        rectangle: Rectangle<Double>, isOutside: Bool
    ) {
        #expect(rectangle.isOutsideOfImage == isOutside)
    }

    @Test func `a new size has at least one pixel, and a size from a header may be zero`() {
        #expect(PixelSize(0, -3) == PixelSize(width: 1, height: 1))
        #expect(PixelSize(width: 0, height: 5).width == 0)
    }

    @Test(arguments: [
        (PixelSize(4_000, 3_000), 400, PixelSize(400, 300)), (PixelSize(3_000, 4_000), 400, PixelSize(300, 400)),
        (PixelSize(300, 200), 400, PixelSize(300, 200)), (PixelSize(10_000, 1), 100, PixelSize(100, 1)),
        (PixelSize(7, 7), 0, PixelSize(7, 7)),
    ])
    func `a size is fitted into a longest side without a change of its aspect ratio`(
        size: PixelSize, side: Int, fitted: PixelSize
    ) {
        #expect(size.fitting(longestSide: side) == fitted)
    }

    @Test func `an even size has even sides of at least two pixels`() {
        #expect(PixelSize(1, 7).even == PixelSize(2, 6))
    }

    @Test func `a union contains both sizes`() {
        #expect(PixelSize(3, 9).union(PixelSize(5, 2)) == PixelSize(5, 9))
    }
}
