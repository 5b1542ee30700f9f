import Base
import CFFmpeg
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of images with high dynamic range, which are converted to SDR. The expected colors are those of
/// `scripts/make-heif-fixtures`, which implements the formulas of BT.2100 and BT.2390 separately.
struct ToneMappingTests {
    private static let pq: [UInt32] = [
        0x000000, 0x0f0f0f, 0x2c2c2c, 0x555555, 0x8f8f8f, 0xe5e5e5, 0xf9f9f9, 0xffffff, 0xed003f, 0x00ae61, 0x002992,
        0xd07253,
    ]
    private static let hlg: [UInt32] = [
        0x000000, 0x1f1f1f, 0x3d3d3d, 0x5c5c5c, 0x7a7a7a, 0xa5a5a5, 0xc2c2c2, 0xe5e5e5, 0xac1130, 0x008449, 0x003077,
        0x926f60,
    ]

    private func patches(of bytes: [UInt8]) throws -> [[Int]] {
        try (0..<12).map { index in
            try Array(
                Workbench.mean(bytes, as: .jpeg, x: index % 4 * 48 + 24, y: index / 4 * 44 + 22, radius: 8).prefix(3))
        }
    }

    @Test(arguments: [("heic-pq.heic", pq), ("heic-hlg.heic", hlg)])
    func `each patch of an HDR image is shown with the light of its code value`(_ name: String, _ wanted: [UInt32])
        throws
    {
        let outcome = Workbench.run(Workbench.fixture(name), as: .heic, [Workbench.order(.attachment, 1_024)])
        let found = try patches(of: try #require(outcome.outputs.first, "\(outcome.reply)"))
        for (index, (found, wanted)) in zip(found, wanted).enumerated() {
            let wanted = [16, 8, 0].map { Int(wanted >> $0 & 255) }
            // JPEG and HEVC with halved chroma change colors more than grays.
            let tolerance = index < 8 ? 3 : 10
            #expect(
                zip(found, wanted).allSatisfy { abs($0 - $1) <= tolerance }, "patch \(index): \(found), not \(wanted)")
        }
    }

    @Test func `the colors of an SDR image with the same code values are not changed`() throws {
        var source = Workbench.fixture("heic-pq.heic")
        let name = try #require(source.firstRange(of: Array("nclx".utf8)))
        // The new values are the transfer characteristics and the primaries of BT.709.
        source[name.upperBound + 3] = 1
        source[name.upperBound + 1] = 1
        let outcome = Workbench.run(source, as: .heic, [Workbench.order(.attachment, 1_024)])
        let found = try patches(of: try #require(outcome.outputs.first, "\(outcome.reply)"))
        for (found, number) in zip(found, [0, 0.15, 0.25, 0.35, 0.45, 0.58, 0.65, 0.75]) {
            #expect(found.allSatisfy { abs($0 - Int(255 * number)) <= 3 }, "\(found), not \(number)")
        }
    }

    @Test func `the reference white is equally bright in PQ and HLG, and is mapped below the brightest white`() {
        #expect(abs(HDRTransfer.pq.light(HDRTransfer.pqNumber(203)) - 1) < 0.001)
        // The reference white is 75 % HLG and 58 % PQ (BT.2408-7, table 1).
        let scene = HDRTransfer.hlg.light(0.75)
        #expect(abs(HDRTransfer.hlgGain(scene) * scene - 1) < 0.01)
        #expect(abs(HDRTransfer.pqNumber(203) - 0.58) < 0.001)
        #expect((0.75..<0.85).contains(HDRTransfer.toned(1)))
    }

    @Test func `the tone curve is monotonic and ends at white`() {
        let tones = (0...2_000).map { HDRTransfer.toned(Double($0) / 200) }
        #expect(zip(tones, tones.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(tones[0] == 0 && tones.last == 1 && HDRTransfer.toned(0.4) == 0.4)
    }
}
