import Testing

@testable import MediaFetcher

@Suite struct FloodDetectorTests {
    private static func detector(transfers: Int = 1) -> FloodDetector {
        var detector = FloodDetector()
        for _ in 0..<transfers { detector.begin() }
        return detector
    }

    private func expect(
        _ detector: inout FloodDetector, _ count: Int, isFlood: Bool, at location: SourceLocation = #_sourceLocation
    ) {
        let found = detector.received(count)
        #expect(found == isFlood, sourceLocation: location)
    }

    private static let limit = FloodDetector.allowance + FloodDetector.heldPerTransfer

    @Test func `bytes without a response are a flood beyond the allowance`() {
        var detector = Self.detector()
        expect(&detector, Self.limit, isFlood: false)
        expect(&detector, 1, isFlood: true)
        #expect(detector.isFlooded)
    }

    @Test func `a body with frames of any usual size is no flood`() {
        var detector = Self.detector()
        for _ in 0..<1_000_000 {
            // A frame of 10 bytes in a record of its own.
            expect(&detector, 40, isFlood: false)
            detector.delivered(10)
        }
        #expect(detector.excess == 0)
    }

    @Test func `a flood with a little of the body is a flood`() {
        var detector = Self.detector()
        var count = 0
        while !detector.received(16_384), count < 1_000 {
            detector.delivered(1)
            count += 1
        }
        #expect(count == Self.limit / 16_384)
    }

    @Test func `a body that was received earns no allowance for later`() {
        var detector = Self.detector()
        _ = detector.received(1_000)
        detector.delivered(50_000_000)
        expect(&detector, Self.limit, isFlood: false)
        expect(&detector, 1, isFlood: true)
    }

    @Test func `the bodies of other transfers may wait for their turns`() {
        var detector = Self.detector(transfers: 100)
        expect(&detector, 100 * FloodDetector.heldPerTransfer, isFlood: false)
        for _ in 0..<99 { detector.end() }
        expect(&detector, Self.limit, isFlood: true)
    }

    @Test func `a next transfer forgives the rest of a body that an earlier one refused`() {
        var detector = Self.detector()
        for _ in 0..<100 {
            expect(&detector, 200_000, isFlood: false)
            detector.end()
            detector.begin()
        }
    }
}
