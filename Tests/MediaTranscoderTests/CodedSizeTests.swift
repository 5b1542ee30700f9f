import Base
import MediaHeaders
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of the size that a failure states when an image has too many pixels. The stated size is the size of the
/// pixels to decode.
@Suite struct CodedSizeTests {
    private func failure(
        _ bytes: [UInt8], as format: MediaFormat, limits: DecodeLimits = DecodeLimits()
    ) -> TranscodeFailure? {
        let result = Result { () throws(TranscodeFailure) in
            try ImageInspection.inspect(bytes.span, as: format, limits: limits)
        }
        return if case .failure(let failure) = result { failure } else { nil }
    }

    private func big(_ values: Int...) -> [UInt8] {
        values.flatMap { value in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
    }

    /// Returns a HEIF file in which the size of one image ('ispe') is replaced.
    private func heif(_ name: String, _ number: Int, says width: Int, _ height: Int) -> [UInt8] {
        var bytes = Workbench.fixture(name)
        let places = bytes.indices.filter { bytes[$0...].starts(with: "ispe".utf8) }
        bytes.replaceSubrange(places[number] + 8..<places[number] + 16, with: big(width, height))
        return bytes
    }

    @Test(arguments: [
        ("heic-plain.heic", 0, "HEIF: 30016 x 20032 pixels"),
        ("heic-grid.heic", 1, "HEIF: 241 x 187 pixels in 4 tiles of 30016 x 20032"),
        ("avif-grid.avif", 1, "HEIF: 242 x 186 pixels in 4 tiles of 30016 x 20032"),
        // The failure states the size before the crop.
        ("heic-cropped.heic", 0, "HEIF: 30016 x 20032 pixels"),
    ])
    func `the failure of a HEIF beyond the limit states its tile size`(name: String, number: Int, detail: String) {
        let found = failure(heif(name, number, says: 30_016, 20_032), as: .heic)
        #expect(found == TranscodeFailure(.tooManyPixels, detail))
    }

    @Test func `the failure of a cropped HEIF that a worker cannot hold states the size before the crop`() {
        let found = failure(heif("heic-cropped.heic", 0, says: 9_600, 9_600), as: .heic)
        #expect(
            found == TranscodeFailure(.tooManyPixels, "9600 x 9600 pixels are more than a worker can decode"))
    }

    @Test func `the failure of a HEIF states the size of the alpha if the alpha is larger than the image`() throws {
        // The image and its alpha share one size in the file.
        var header = try HEIFHeader(Workbench.fixture("heic-alpha.heic").span)
        header.alpha?.tileWidth = 30_016
        header.alpha?.tileHeight = 20_032
        header.alpha?.width = 30_016
        header.alpha?.height = 20_032
        let result = Result { () throws(TranscodeFailure) in
            try ImageInspection.judge(header, limits: DecodeLimits())
        }
        #expect(throws: TranscodeFailure(.tooManyPixels, "HEIF: an alpha of 30016 x 20032 pixels")) {
            try result.get()
        }
    }

    @Test func `the failure of a TIFF beyond the limit states the size of its tiles`() throws {
        var bytes = Workbench.fixture("../corners/tiff-tiles-rgb-zip.tif")
        for tag: [UInt8] in [[0x42, 1], [0x43, 1]] {
            let entry = try #require(bytes.firstRange(of: tag + [3, 0, 1, 0, 0, 0]))
            bytes.replaceSubrange(entry.upperBound..<entry.upperBound + 2, with: [0, 0x40])
        }
        #expect(failure(bytes, as: .tiff)?.detail.contains(" pixels in 1 tile of 16384 x 16384 are more") == true)
    }
}
