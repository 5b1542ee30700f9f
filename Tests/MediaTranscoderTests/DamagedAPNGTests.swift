import Base
import TestSupport
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of APNGs whose control chunks are damaged. Browsers show their default image.
@Suite struct DamagedAPNGTests {
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The type of the chunk that is changed. `number` selects one of several chunks of that type.
        let type: String
        var number = 0
        /// Returns the changed body; `nil` removes the chunk.
        var body: (@Sendable ([UInt8]) -> [UInt8])? = { $0 }
        var name: String?
        var hasRightSum = true
    }

    private static let damages = [
        Damage(testDescription: "no animation control", type: "acTL", body: nil),
        Damage(testDescription: "an animation control of another name", type: "acTL", name: "acTl"),
        Damage(testDescription: "an animation control with a wrong checksum", type: "acTL", hasRightSum: false),
        Damage(
            testDescription: "an overwritten animation control", type: "acTL",
            body: { [UInt8](repeating: 255, count: $0.count) }, hasRightSum: false),
        Damage(
            testDescription: "4,294,967,295 frames", type: "acTL", body: { [UInt8](repeating: 255, count: $0.count) }),
        Damage(testDescription: "no frames", type: "acTL", body: { [UInt8](repeating: 0, count: $0.count) }),
        Damage(testDescription: "a short animation control", type: "acTL", body: { Array($0.prefix(3)) }),
        Damage(testDescription: "no first frame control", type: "fcTL", body: nil),
        Damage(testDescription: "a frame control with a wrong checksum", type: "fcTL", number: 1, hasRightSum: false),
        Damage(
            testDescription: "an overwritten frame control", type: "fcTL", number: 1,
            body: { [UInt8](repeating: 255, count: $0.count) }),
        Damage(testDescription: "a short frame control", type: "fcTL", number: 1, body: { Array($0.prefix(10)) }),
        Damage(
            testDescription: "a first frame that is not the whole image", type: "fcTL",
            body: { $0.prefix(4) + [0, 0, 0, 1] + $0.dropFirst(8) }),
        Damage(
            testDescription: "a frame that is larger than the image", type: "fcTL", number: 1,
            body: { $0.prefix(4) + [0, 0, 8, 0] + $0.dropFirst(8) }),
        Damage(testDescription: "data of a frame without its number", type: "fdAT", body: { Array($0.dropFirst(4)) }),
    ]

    private static func apply(_ damage: Damage, to png: [UInt8]) -> [UInt8] {
        var (result, offset, count) = (Array(png.prefix(8)), 8, 0)
        while offset + 12 <= png.count {
            let length = png[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            let type = String(decoding: png[offset + 4..<offset + 8], as: UTF8.self)
            let chunk = png[offset..<offset + 12 + length]
            offset = chunk.endIndex
            count += type == damage.type ? 1 : 0
            guard type == damage.type, count == damage.number + 1 else {
                result += chunk
                continue
            }
            guard let body = damage.body?(Array(chunk.dropFirst(8).dropLast(4))) else { continue }
            var changed = SamplePNG.chunk(damage.name ?? type, body)
            if !damage.hasRightSum { changed[changed.count - 1] ^= 1 }
            result += changed
        }
        return result
    }

    @Test(arguments: damages)
    func `an APNG with a damaged control chunk becomes a still image of its default image`(_ damage: Damage) throws {
        let source = AnimationFile.fixture("drawing.png")
        let damaged = Self.apply(damage, to: source)
        #expect(damaged != source)
        for showsDamage in [false, true] {
            let specs = [Workbench.order(.attachment, 1_024), Workbench.order(.thumbnail, 48)]
            let outcome = Workbench.run(damaged, as: .png, specs, showsDamage: showsDamage)
            let report = try #require(outcome.reports.first, "\(outcome.reply)")
            #expect(report.format == .png && report.frames == 1 && report.damage == nil, "\(report)")
            #expect(report.durationMilliseconds == nil)
            let first = try #require(AnimationFile(source, as: .png).frames.first)
            #expect(try Workbench.rows(of: outcome.outputs[0], as: .png).flatMap(\.self) == first)
        }
    }

    @Test func `an APNG is not refused if it announces more frames than it has`() throws {
        let source = try AnimationFile.png("drawing.png", frames: 5_000)
        let outcome = Workbench.run(source, as: .png, [Workbench.order(.attachment, 1_024)])
        #expect(outcome.reports.first?.frames == 6, "\(outcome.reply)")
    }
}
