import Testing

@testable import Base

@Suite struct MagicNumberTests {
    private func format(of bytes: [UInt8]) -> MediaFormat? { MediaFormat.withMagic(bytes.span) }
    private func isBegun(_ bytes: [UInt8], _ format: MediaFormat) -> Bool { format.begins(bytes.span) }

    @Test(arguments: MediaFormat.allCases)
    func `a sample with a magic number has the format of the magic number`(format: MediaFormat) {
        for sample in format.magicSamples {
            #expect(self.format(of: sample) == format)
            #expect(isBegun(sample, format))
            #expect(self.format(of: sample + [1, 2, 3]) == format)
            #expect(self.format(of: [1] + sample) != format)
        }
    }

    @Test(arguments: MediaFormat.allCases)
    func `a sample without its last byte does not begin with the format's magic number`(format: MediaFormat) {
        for sample in format.magicSamples { #expect(!isBegun(sample.dropLast(), format)) }
    }

    @Test func `a longer magic number takes precedence`() {
        let raw: [UInt8] = Array("II*\0".utf8) + [16, 0, 0, 0] + Array("CR".utf8) + [2, 0]
        #expect(format(of: raw) == .cameraRaw)
        #expect(format(of: raw.dropLast()) == .tiff)
    }

    @Test func `an empty file has no magic number`() {
        #expect(format(of: []) == nil)
    }

    @Test func `formats without a magic number are recognized by a header parser`() {
        let recognized: [MediaFormat] = [
            .heic, .avif, .svg, .mp4, .quickTime, .webm, .mpegTS, .m4a, .aac, .html, .xml, .playlist,
        ]
        #expect(MediaFormat.allCases.filter { $0.magicSamples.isEmpty } == recognized)
    }
}
