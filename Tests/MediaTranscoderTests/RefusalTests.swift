import Base
import Glibc
import TestSupport
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

@Suite struct RefusalTests {
    private let thumbnail = [Workbench.order(.thumbnail, 100)]

    @Test(arguments: [
        ("truncated.jpg", MediaFormat.jpeg, TranscodeFailureCode.corrupt), ("not-a-picture.jpg", .jpeg, .corrupt),
        ("empty.jpg", .jpeg, .corrupt), ("ffconcat.mp4", .mp4, .corrupt), ("hls.mp4", .mp4, .corrupt),
        ("photo-small.jpg", .png, .corrupt), ("photo-small.jpg", .mp4, .corrupt),
    ])
    func `a damaged or mislabeled file is refused with its failure code`(
        _ name: String, _ format: MediaFormat, _ expected: TranscodeFailureCode
    ) {
        let outcome = Workbench.run(Workbench.fixture(name), as: format, thumbnail)
        #expect(outcome.failure == expected)
    }

    @Test func `an unsupported TIFF compression is reported by its number`() {
        var source = Workbench.fixture("tiff-jpeg.tif")
        // The compression, a short, is changed to that of JPEG 2000.
        if let entry = source.firstRange(of: [3, 1, 3, 0, 1, 0, 0, 0]) {
            source.replaceSubrange(entry.upperBound..<entry.upperBound + 2, with: [0x98, 0x87])
        }
        let reply = Workbench.run(source, as: .tiff, thumbnail).reply
        #expect(reply.result == .failure(TranscodeFailure(.unsupported, "no support for TIFF compression 34712")))
    }

    @Test func `the limits are checked before decoding`() {
        let photo = Workbench.fixture("photo-small.jpg")
        #expect(
            Workbench.run(photo, as: .jpeg, thumbnail, limits: DecodeLimits(scalablePixels: 400_000)).failure
                == .tooManyPixels)
        let progressive = Workbench.fixture("progressive.jpg")
        #expect(
            Workbench.run(progressive, as: .jpeg, thumbnail, limits: DecodeLimits(scans: 2)).failure == .tooManyPixels)
        let png = Workbench.fixture("interlaced.png")
        #expect(
            Workbench.run(png, as: .png, thumbnail, limits: DecodeLimits(decodedBytes: 500_000)).failure
                == .tooManyPixels)
        let video = Workbench.fixture("video-silent.mp4")
        #expect(
            Workbench.run(video, as: .mp4, thumbnail, limits: DecodeLimits(durationMilliseconds: 500)).failure
                == .tooLarge)
    }

    @Test func `a poster order for an image fails as an internal fault`() throws {
        let source = try SampleImage.jpeg(width: 32, height: 32)
        #expect(Workbench.run(source, as: .jpeg, [Workbench.order(.poster, 100)]).failure == .internalFault)
    }

    @Test func `a job without orders reports whether the source is damaged`() throws {
        let source = try SampleImage.jpeg(width: 32, height: 32)
        #expect(Workbench.run(source, as: .jpeg, []).reports.isEmpty)
        #expect(Workbench.run(source, as: .jpeg, []).failure == nil)
        #expect(Workbench.run(Array(source.dropLast(2)), as: .jpeg, []).failure == .corrupt)
    }

    @Test func `a PNG with damaged data is corrupt, although its copy would fit`() throws {
        let source = try SampleImage.halfTransparentPNG(width: 64, height: 64)
        let order = [Workbench.order(.attachment, 100)]
        #expect(Workbench.run(source, as: .png, order).outputs == [source])
        let data = try #require(source.indices.first { source[$0...].starts(with: Array("IDAT".utf8)) })
        var flipped = source
        flipped[data + 6] ^= 0xFF
        #expect(Workbench.run(flipped, as: .png, order).failure == .corrupt)
    }

    @Test func `a PNG without its last data chunks is corrupt, although it has an end chunk`() throws {
        let made = Workbench.run(Workbench.fixture("mask-alpha.png"), as: .png, [Workbench.order(.attachment, 400)])
        let source = try #require(made.outputs.first)
        var kept = Array(source.prefix(8))
        var dataChunks: [[UInt8]] = []
        var offset = 8
        while offset + 12 <= source.count {
            let length = source[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            let chunk = Array(source[offset..<offset + 12 + length])
            if chunk[4..<8].elementsEqual("IDAT".utf8) {
                dataChunks.append(chunk)
            } else {
                if chunk[4..<8].elementsEqual("IEND".utf8) { kept += dataChunks.dropLast(2).joined() }
                kept += chunk
            }
            offset += 12 + length
        }
        try #require(dataChunks.count > 2)
        #expect(Workbench.run(kept, as: .png, thumbnail).failure == .corrupt)
    }

    @Test func `a JPEG whose scan is truncated before its end marker is corrupt`() {
        let source = Workbench.fixture("photo-small.jpg")
        let cut = Array(source.prefix(source.count / 2)) + [0xFF, 0xD9]
        #expect(Workbench.run(cut, as: .jpeg, [Workbench.order(.attachment, 1_024)]).failure == .corrupt)
    }

    @Test func `an order without an output fails as an internal fault`() {
        let job = TranscodeJob(id: 1, format: .jpeg, specs: [Workbench.order(.attachment, 100)])
        let reply = MediaTranscoder.run(job, input: -1, outputs: [])
        #expect(reply.result == .failure(TranscodeFailure(.internalFault, "1 orders with 0 outputs")))
    }

    @Test func `a job fails as a storage failure if an output cannot be emptied`() {
        let input = open("/dev/zero", O_RDONLY)
        defer { close(input) }
        do throws(TranscodeFailure) {
            _ = try OutputFile(input, maxBytes: 10)
            Issue.record("a device was emptied")
        } catch {
            #expect(error.code == .storage)
        }
    }

    @Test(arguments: [
        ("orientation-6.jpg", MediaFormat.jpeg), ("palette.png", .png), ("still.gif", .gif),
        ("lossless-alpha.webp", .webp), ("video-silent.mp4", .mp4), ("animation-large.gif", .gif),
    ])
    func `a job with a damaged file of any format never fails as a storage failure`(
        _ name: String, _ format: MediaFormat
    ) {
        let sample = Workbench.fixture(name)
        var state: UInt64 = 0x2545_F491_4F6C_DD1D
        func next(_ bound: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(bound))
        }
        let specs = [Workbench.order(.attachment, 80, videoSide: 100), Workbench.order(.thumbnail, 40)]
        for _ in 0..<TestLength.rounds(12, short: 3) {
            var damaged = sample
            for _ in 0..<(1 + next(20)) { damaged[next(damaged.count)] = UInt8(next(256)) }
            let outcome = Workbench.run(damaged, as: format, specs)
            #expect(outcome.failure != .storage)
        }
    }
}
