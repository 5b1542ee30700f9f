import Foundation
import ImageQuality
import NotificationModel
import TestSupport
import Testing

@testable import TranscodePool

/// The tests of the images in `fixtures/corners`, of kinds that few programs write. The references are in the oracle's
/// file in the same directory.
@Suite(.timeLimit(.minutes(2)))
struct ImageCornerTests {
    /// The largest difference in the mean of a field, in levels of 255.
    private static let tolerance = 3

    private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        guard one.count == other.count else { return 255 }
        return zip(one, other).map { abs(Int($0) - Int($1)) }.max() ?? 255
    }

    private static func lines() throws -> [OracleLine] {
        try String(contentsOfFile: Fixtures.directory + "/corners/oracle.ndjson", encoding: .utf8)
            .split(separator: "\n").map { try JSONDecoder().decode(OracleLine.self, from: Data($0.utf8)) }
    }

    @Test(arguments: [
        ("gif-part-", 5), ("tiff-cmyk-", 11), ("tiff-tiles-", 13), ("tiff-jpeg-", 6), ("tiff-ycbcr-", 13),
        ("tiff-kind-", 14),
        ("avif-", 2), ("heic-", 2),
    ])
    func `the rendition of a rare kind of image has the right colors and alpha`(kind: String, count: Int) async throws {
        let lines = try Self.lines().filter { $0.path?.hasPrefix(kind) == true }
        #expect(lines.count == count)
        try await withPool { pool in
            for line in lines {
                let name = try #require(line.path)
                let wanted = try line.result.get()
                var work = try PoolWork(path: "\(Fixtures.directory)/corners/\(name)")
                // Quality 100 avoids differences by quantization, which is not tested here.
                work.form.jpegQuality = 100
                let result = try await work.run(in: pool)
                guard case .success(let set) = result, let rendition = set.renditions.first else {
                    Issue.record("\(name): \(result)")
                    continue
                }
                let found = try ObservedRendition(rendition).observed
                #expect(found.width == wanted.width && found.height == wanted.height, "\(name)")
                let off = Self.distance(found.whole.grid, wanted.whole.grid)
                #expect(off <= Self.tolerance, "\(name) is off by \(off)")
                #expect(found.alpha == wanted.alpha, "\(name)")
                if let opacity = wanted.whole.opacity {
                    let off = Self.distance(found.whole.opacity ?? [], opacity)
                    #expect(off <= Self.tolerance, "the alpha of \(name) is off by \(off)")
                }
            }
        }
    }
}
