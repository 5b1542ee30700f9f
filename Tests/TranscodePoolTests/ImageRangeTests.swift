import Foundation
import ImageQuality
import NotificationModel
import TestSupport
import Testing

@testable import TranscodePool

/// The tests of AVIF and HEIC images of every chroma, depth, range and matrix, with and without the color box. The
/// oracle is the reference.
@Suite(.timeLimit(.minutes(2)))
struct ImageRangeTests {
    /// The largest difference in the mean of a field, in levels of 255.
    private static let tolerance = 3

    private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        zip(one, other).map { abs(Int($0) - Int($1)) }.max() ?? 255
    }

    @Test func `an image in full or limited color range keeps its colors`() async throws {
        let lines = try String(contentsOfFile: Fixtures.directory + "/ranges/oracle.ndjson", encoding: .utf8)
            .split(separator: "\n").map { try JSONDecoder().decode(OracleLine.self, from: Data($0.utf8)) }
        let grids = try lines.reduce(into: [String: [UInt8]]()) { grids, line in
            grids[try #require(line.path)] = try line.result.get().whole.grid
        }
        #expect(grids.count == 139)
        try await withPool { pool in
            for (name, seen) in grids.sorted(by: { $0.key < $1.key }) where !name.hasPrefix("drawn") {
                let drawn = try #require(grids[name.contains("-400-") ? "drawn-grey.png" : "drawn-colour.png"])
                var work = try PoolWork(path: "\(Fixtures.directory)/ranges/\(name)")
                // Quality 100 avoids differences by quantization, which is not tested here.
                work.form.jpegQuality = 100
                let rendition = try #require(try await work.run(in: pool).get().renditions.first)
                let found = try ObservedRendition(rendition).observed.whole.grid
                let off = Self.distance(found, drawn)
                #expect(off <= Self.tolerance, "\(name) is off by \(off)")
                // libavif itself differs by 4 in images of 10 and 12 bits with limited range and BT.709.
                let allowed = max(Self.tolerance, Self.distance(seen, drawn))
                #expect(Self.distance(found, seen) <= allowed, "\(name) differs from the oracle's image")
            }
        }
    }
}
