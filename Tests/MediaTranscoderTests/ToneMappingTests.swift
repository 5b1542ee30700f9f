import CFFmpeg
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// Pictures of high dynamic range come out as SDR shows them. The figures are those of `scripts/make-heif-fixtures`, which
/// has the formulas of BT.2100 and BT.2390 once more.
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
    func `patches have the light that they stand for`(_ name: String, _ wanted: [UInt32]) throws {
        let outcome = Workbench.run(Workbench.fixture(name), as: .heif, [Workbench.order(.attachment, 1_024)])
        let found = try patches(of: try #require(outcome.outputs.first, "\(outcome.reply)"))
        for (index, (found, wanted)) in zip(found, wanted).enumerated() {
            let wanted = [16, 8, 0].map { Int(wanted >> $0 & 255) }
            // Of colours, JPEG and HEVC with halved differences leave less than of greys.
            let tolerance = index < 8 ? 3 : 10
            #expect(
                zip(found, wanted).allSatisfy { abs($0 - $1) <= tolerance }, "patch \(index): \(found), not \(wanted)")
        }
    }

    @Test func `the same numbers in SDR stay what they are`() throws {
        var source = Workbench.fixture("heic-pq.heic")
        let name = try #require(source.firstRange(of: Array("nclx".utf8)))
        // The transfer characteristics of BT.709.
        source[name.upperBound + 3] = 1
        source[name.upperBound + 1] = 1
        let outcome = Workbench.run(source, as: .heif, [Workbench.order(.attachment, 1_024)])
        let found = try patches(of: try #require(outcome.outputs.first, "\(outcome.reply)"))
        for (found, number) in zip(found, [0, 0.15, 0.25, 0.35, 0.45, 0.58, 0.65, 0.75]) {
            #expect(found.allSatisfy { abs($0 - Int(255 * number)) <= 3 }, "\(found), not \(number)")
        }
    }

    @Test func `white of paper is as bright in both, and a little darker than the brightest`() {
        #expect(abs(HDRTransfer.pq.light(HDRTransfer.pqNumber(203)) - 1) < 0.001)
        // BT.2408-7, table 1: 75 % HLG and 58 % PQ.
        let scene = HDRTransfer.hlg.light(0.75)
        #expect(abs(HDRTransfer.hlgGain(scene) * scene - 1) < 0.01)
        #expect(abs(HDRTransfer.pqNumber(203) - 0.58) < 0.001)
        #expect((0.75..<0.85).contains(HDRTransfer.toned(1)))
    }

    @Test func `tones never fall, and end at white`() {
        let tones = (0...2_000).map { HDRTransfer.toned(Double($0) / 200) }
        #expect(zip(tones, tones.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(tones[0] == 0 && tones.last == 1 && HDRTransfer.toned(0.4) == 0.4)
    }
}
