import MediaHeaders
import TestSupport
import Testing

/// Which scans of a progressive JPEG a small picture needs.
struct JPEGScanTests {
    @Test func `the fewer pixels are wanted, the fewer scans are needed`() throws {
        let bytes = SampleFile.fixture("progressive.jpg")
        let header = try JPEGHeader(file: bytes)
        #expect(header.process == .progressive)
        // libjpeg's own script: means first, then the first details of luma, those of the colours, the rest, and bits.
        #expect(header.scans.count == 10, "\(header.scans)")
        let ends = try (1...3).map { try #require(header.endOfScans(forHalvings: $0)) }
        #expect(ends == [4, 3, 0].map { header.scans[$0].end })
        #expect(ends[2] < bytes.count / 5)
    }

    @Test func `where a block's mean is coarse its last bit is needed too`() throws {
        var header = try JPEGHeader(file: SampleFile.fixture("progressive.jpg"))
        header.coarsestMean = 80
        #expect(header.endOfScans(forHalvings: 3) == header.scans[6].end)
    }

    @Test func `all of it is needed at its own size, and of what is not progressive`() throws {
        #expect(try JPEGHeader(file: SampleFile.fixture("progressive.jpg")).endOfScans(forHalvings: 0) == nil)
        #expect(try JPEGHeader(file: SampleFile.fixture("progressive.jpg")).endOfScans(forHalvings: 4) == nil)
        for halvings in 0...3 {
            #expect(
                try JPEGHeader(file: SampleFile.fixture("photo-small.jpg")).endOfScans(forHalvings: halvings) == nil)
        }
    }
}
