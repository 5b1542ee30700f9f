import MediaHeaders
import TestSupport
import Testing

/// Tests of the scans that a reduced image of a progressive JPEG needs.
struct JPEGScanTests {
    @Test func `a smaller reduced image needs fewer scans`() throws {
        let bytes = SampleFile.fixture("progressive.jpg")
        let header = try JPEGHeader(file: bytes)
        #expect(header.process == .progressive)
        // libjpeg's scan script begins with the DC coefficients. The first AC coefficients of luma follow, then those
        // of chroma, then all other coefficients and bits.
        #expect(header.scans.count == 10, "\(header.scans)")
        let ends = try (1...3).map { try #require(header.endOfScans(forHalvings: $0)) }
        #expect(ends == [4, 3, 0].map { header.scans[$0].end })
        #expect(ends[2] < bytes.count / 5)
    }

    @Test func `the last bit of the block means is needed if their quantization is coarse`() throws {
        var header = try JPEGHeader(file: SampleFile.fixture("progressive.jpg"))
        header.coarsestMean = 80
        #expect(header.endOfScans(forHalvings: 3) == header.scans[6].end)
    }

    @Test func `all scans are needed at full size, and for a JPEG that is not progressive`() throws {
        #expect(try JPEGHeader(file: SampleFile.fixture("progressive.jpg")).endOfScans(forHalvings: 0) == nil)
        #expect(try JPEGHeader(file: SampleFile.fixture("progressive.jpg")).endOfScans(forHalvings: 4) == nil)
        for halvings in 0...3 {
            #expect(
                try JPEGHeader(file: SampleFile.fixture("photo-small.jpg")).endOfScans(forHalvings: halvings) == nil)
        }
    }
}
