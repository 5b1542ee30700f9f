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

    private static let limit = FloodDetector.allowance + FloodDetector.bufferedPerTransfer

    @Test func `bytes that belong to no response are a flood if they exceed the allowance`() {
        var detector = Self.detector()
        expect(&detector, Self.limit, isFlood: false)
        expect(&detector, 1, isFlood: true)
        #expect(detector.isFlooded)
    }

    @Test func `a body in frames of a usual size is no flood`() {
        var detector = Self.detector()
        for _ in 0..<1_000_000 {
            // An HTTP/2 frame with 10 bytes has 19 bytes in all.
            expect(&detector, 19, isFlood: false)
            detector.delivered(10)
        }
        #expect(detector.excess == 0)
    }

    @Test func `a long body that is counted at once is no flood`() {
        var detector = Self.detector()
        let isFlooded = detector.received(10_000_000, delivered: 9_900_000)
        #expect(!isFlooded && detector.excess == 0)
    }

    @Test func `bytes without a response are a flood even if each read contains a byte of a body`() {
        var detector = Self.detector()
        var count = 0
        while !detector.received(16_384), count < 1_000 {
            detector.delivered(1)
            count += 1
        }
        #expect(count == Self.limit / 16_384)
    }

    @Test func `a received body does not increase the allowance for later bytes`() {
        var detector = Self.detector()
        _ = detector.received(1_000)
        detector.delivered(50_000_000)
        expect(&detector, Self.limit, isFlood: false)
        expect(&detector, 1, isFlood: true)
    }

    @Test func `the buffered bodies of other transfers are no flood`() {
        var detector = Self.detector(transfers: 100)
        expect(&detector, 100 * FloodDetector.bufferedPerTransfer, isFlood: false)
        for _ in 0..<99 { detector.end(missing: 0) }
        expect(&detector, Self.limit, isFlood: true)
    }

    @Test func `each new transfer reduces the excess of earlier refused bodies`() {
        var detector = Self.detector()
        for _ in 0..<100 {
            expect(&detector, 200_000, isFlood: false)
            detector.end(missing: 0)
            detector.begin()
        }
    }

    @Test(arguments: [(nil, FloodDetector.maxLateBytes), (1_000_000, 1_000_000), (.max, FloodDetector.maxLateBytes)])
    func `the remaining bytes of a refused response are no flood`(_ missing: Int?, _ late: Int) {
        var detector = Self.detector(transfers: 2)
        detector.end(missing: missing)
        expect(&detector, late, isFlood: false)
        expect(&detector, Self.limit, isFlood: false)
        expect(&detector, 1, isFlood: true)
    }

    @Test func `late bytes of many responses are not added up to a flood`() {
        var detector = Self.detector()
        for _ in 0..<100 {
            detector.end(missing: nil)
            detector.begin()
            detector.delivered(1)
        }
        expect(&detector, FloodDetector.maxLateBytes + Self.limit, isFlood: false)
        expect(&detector, 1, isFlood: true)
    }

    @Test func `late bytes are allowed once in the life of a connection`() {
        var detector = Self.detector(transfers: 2)
        for isFlood in [false, true] {
            detector.end(missing: nil)
            expect(&detector, FloodDetector.maxLateBytes, isFlood: isFlood)
            detector.begin()
        }
    }

    @Test func `a body in very small parts is a flood when the cost of the parts exceeds the allowance`() {
        var detector = Self.detector()
        var calls = 0
        while !detector.handedOver(2), calls < 100_000 { calls += 1 }
        #expect(calls == FloodDetector.callAllowance / (FloodDetector.bytesPerCall - 2))
    }

    @Test func `small parts of a small body are no flood`() {
        var detector = Self.detector()
        for _ in 0..<2_000 {
            let isFlooded = detector.handedOver(1)
            #expect(!isFlooded)
        }
        let isFlooded = detector.handedOver(1_000_000)
        #expect(!isFlooded && detector.callExcess == 0)
    }
}
