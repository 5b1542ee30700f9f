import Base
import Glibc
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of images that have to fit into a number of bytes.
struct SizeCapSearchTests {
    /// Returns an approximate size of a JPEG. It grows with the area, by a factor of 3 from quality 40 to 85, and by a
    /// factor of 4 from 85 to 100.
    private static func bytes(side: Int, quality: Int, detail: Double) -> Int {
        let growth = Double(min(quality, 85) - 40) / 41 + Double(max(quality, 85) - 85) / 11
        return Int(detail * Double(side * side) * exp(growth)) + 600
    }

    /// Runs a search with an approximate JPEG encoder.
    ///
    /// - Returns: The quality and the side of the result, and the number of encodings; `nil` if nothing fits.
    private static func search(
        maxBytes: Int, side: Int, detail: Double, finest: Int = 85
    ) -> (quality: Int, side: Int, tries: Int)? {
        var search = SizeCapSearch(maxBytes: UInt64(maxBytes), quality: finest)
        var (side, tries) = (side, 0)
        var kept: (Int, Int)?
        while tries < 40 {
            tries += 1
            let count = bytes(side: side, quality: search.quality, detail: detail)
            if count <= maxBytes { kept = (search.quality, side) }
            switch search.attempt(bytes: count, longestSide: side) {
            case .done: return kept.map { ($0.0, $0.1, tries) }
            case .quality: break
            case .shrink(let factor): side = max(SizeCapSearch.minSide, Int(Double(side) * factor))
            case .impossible: return nil
            }
        }
        return nil
    }

    @Test func `an image that fits its cap at once gets the best quality`() throws {
        let found = try #require(Self.search(maxBytes: 10_000_000, side: 1_024, detail: 0.2))
        #expect(found.quality == 85 && found.side == 1_024 && found.tries == 1)
    }

    @Test(arguments: Array(stride(from: 20_000, through: 2_000_000, by: 37_919)))
    func `a search ends within six tries, and its result uses most of the permitted bytes`(_ maxBytes: Int) throws {
        for detail in [0.05, 0.2, 0.6, 1.5] {
            let found = try #require(Self.search(maxBytes: maxBytes, side: 1_024, detail: detail))
            let count = Self.bytes(side: found.side, quality: found.quality, detail: detail)
            #expect(count <= maxBytes)
            #expect(found.tries <= 6, "\(found)")
            #expect(found.tries == 1 || count > maxBytes * 2 / 5, "\(found): \(count) of \(maxBytes)")
        }
    }

    @Test(arguments: [1, 20, 40, 60, 95, 100])
    func `the result of a search never exceeds the requested quality`(_ finest: Int) throws {
        for maxBytes in stride(from: 20_000, through: 2_000_000, by: 37_919) {
            let found = try #require(Self.search(maxBytes: maxBytes, side: 1_024, detail: 0.6, finest: finest))
            #expect(found.quality <= finest && found.tries <= 7, "\(found)")
            #expect(found.side == 1_024 || found.quality <= 70, "\(found)")
            #expect(Self.bytes(side: found.side, quality: found.quality, detail: 0.6) <= maxBytes)
        }
    }

    @Test(arguments: [90, 95, 100])
    func `a search does not return a lower quality if the requested quality does not fit`(_ finest: Int) throws {
        for maxBytes in stride(from: 20_000, through: 2_000_000, by: 9_479) {
            let standard = try #require(Self.search(maxBytes: maxBytes, side: 1_024, detail: 0.2))
            let found = try #require(Self.search(maxBytes: maxBytes, side: 1_024, detail: 0.2, finest: finest))
            #expect(found.quality >= standard.quality && found.side == standard.side, "\(maxBytes) bytes: \(found)")
        }
    }

    @Test(arguments: [80_000, 60_000, 40_000, 30_000, 20_000] as [UInt64])
    func `a photograph under a cap does not get fewer bytes if a higher quality is ordered`(_ maxBytes: UInt64) throws {
        var bytes: [UInt64] = []
        for quality: UInt8 in [85, 100] {
            var order = Workbench.order(.attachment, 400, imageBytes: maxBytes)
            order.jpegQuality = quality
            let report = try #require(
                Workbench.run(Workbench.fixture("photo-small.jpg"), as: .jpeg, [order]).reports.first)
            #expect(report.width == 400)
            bytes.append(report.bytes)
        }
        #expect(bytes[1] >= bytes[0], "\(bytes)")
    }

    @Test func `a JPEG has the quality in its order`() throws {
        let source = Workbench.fixture("photo-small.jpg")
        var bytes: [UInt64] = []
        for quality: UInt8 in [1, 40, 85, 100] {
            var order = Workbench.order(.attachment, 400)
            order.jpegQuality = quality
            bytes.append(try #require(Workbench.run(source, as: .jpeg, [order]).reports.first).bytes)
        }
        #expect(zip(bytes, bytes.dropFirst()).allSatisfy { $0 * 3 / 2 < $1 }, "\(bytes)")
    }

    @Test(arguments: [0, 101, 255] as [UInt8])
    func `a quality outside of libjpeg's range is refused`(_ quality: UInt8) {
        var order = Workbench.order(.attachment, 400)
        order.jpegQuality = quality
        let outcome = Workbench.run(Workbench.fixture("photo-small.jpg"), as: .jpeg, [order])
        guard case .failure(let failure) = outcome.reply.result else {
            Issue.record("a rendition was made")
            return
        }
        #expect(failure.code == .internalFault)
    }

    @Test func `a search returns nil if no result fits the cap`() {
        #expect(Self.search(maxBytes: 500, side: 1_024, detail: 0.2) == nil)
        #expect(Self.search(maxBytes: 0, side: 1_024, detail: 0.2) == nil)
    }

    @Test(arguments: [300_000, 60_000, 20_000, 5_000, 2_000] as [UInt64])
    func `a photograph is encoded to fit the cap`(_ maxBytes: UInt64) throws {
        let outcome = Workbench.run(
            Workbench.fixture("photo-12mp.jpg"), as: .jpeg,
            [Workbench.order(.attachment, 1_024, imageBytes: maxBytes)])
        let report = try #require(outcome.reports.first, "\(outcome.reply)")
        #expect(report.bytes <= maxBytes && report.bytes > maxBytes / 4, "\(report.bytes) of \(maxBytes)")
        #expect(try Workbench.pixel(outcome.outputs[0], as: .jpeg, x: 0, y: 0).count == 4)
    }
}
