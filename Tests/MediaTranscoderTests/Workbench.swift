import Base
import CFFmpeg
import Glibc
import LinuxIO
import NotificationModel
import TranscodeProtocol

@testable import MediaTranscoder
@testable import TranscodePool

/// The entry point of the tests of `MediaTranscoder`. It runs one job in the test's process, without a worker process.
///
/// The input is the bytes of a media file and the orders for it. `run` writes the bytes to an unlinked temporary file,
/// opens one output for each order, and calls `MediaTranscoder.run` on the calling thread. The outcome is the reply and
/// the bytes of the outputs.
///
/// The libraries are the real ones: FFmpeg, libjpeg-turbo, libtiff, libwebp and Little CMS. No sandbox is applied. A
/// test does not cancel a job, but may give it a time in milliseconds. A fixture that does not exist is read as an
/// empty file, which every job refuses as corrupt.
enum Workbench {
    struct Outcome {
        var reply: TranscodeReply
        var outputs: [[UInt8]]

        var reports: [RenditionReport] { (try? reply.result.get()) ?? [] }
        var failure: TranscodeFailureCode? {
            if case .failure(let failure) = reply.result { failure.code } else { nil }
        }
    }

    static func fixture(_ name: String) -> [UInt8] {
        let directory = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let descriptor = open("/\(directory)/fixtures/media/\(name)", O_RDONLY)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        return contents(descriptor)
    }

    static func order(
        _ role: RenditionKind, _ side: UInt32, videoSide: UInt32 = 1_280, copiedVideoSide: UInt32? = nil,
        imageBytes: UInt64 = 10_000_000,
        videoBytes: UInt64 = 50_000_000, at time: UInt32? = nil, clip: Rectangle<UInt32>? = nil
    ) -> RenditionSpec {
        RenditionSpec(
            role: role, imageSide: side, videoSide: videoSide, copiedVideoSide: copiedVideoSide ?? videoSide,
            imageBytes: imageBytes,
            jpegQuality: 85, videoBytes: videoBytes, soundBytes: 5 << 20,
            stillAtMilliseconds: time, clip: clip)
    }

    /// Returns the format of a file and the orders for it, as the pool sends them to a worker.
    static func specs(
        _ bytes: [UInt8], for profile: MediaProfile
    ) throws -> (format: MediaFormat, specs: [RenditionSpec]) {
        let media = fetched(bytes)
        let source = try TranscodeSource.inspect(media)
        let request = TranscodeRequest(
            source: media, form: profile.attachment, options: AttachmentOptions(), deadline: MonotonicInstant.now,
            trace: StageTrace()
        ) { _ in media.file }
        return (source.format, source.specs(for: request))
    }

    /// Returns the type that a verdict states for a file.
    static func mimeType(_ bytes: [UInt8]) throws -> String { try TranscodeSource.inspect(fetched(bytes)).mimeType }

    private static func fetched(_ bytes: [UInt8]) -> FetchedMedia {
        let file = MediaFile(descriptor: temporaryFile(bytes))
        return FetchedMedia(file: file, byteCount: bytes.count, declaredType: nil, identity: "")
    }

    /// Runs a job. The outputs begin with old bytes, which the job has to remove.
    ///
    /// - Parameter milliseconds: The time for the job; `nil` means no limit.
    static func run(
        _ bytes: [UInt8], as format: MediaFormat, _ specs: [RenditionSpec], limits: DecodeLimits = DecodeLimits(),
        milliseconds: UInt32? = nil, showsDamage: Bool = false, isPart: Bool = false,
        sendInterim: (TranscodeReply) -> Void = { _ in }
    ) -> Outcome {
        let input = temporaryFile(bytes)
        let outputs = specs.map { _ in temporaryFile([UInt8](repeating: 7, count: 3_000_000)) }
        defer { for descriptor in [input] + outputs { close(descriptor) } }
        let deadline = milliseconds.map { MonotonicClock.microseconds + UInt64($0) * 1_000 }
        let job = TranscodeJob(
            id: 42, format: format, limits: limits, specs: specs, deadline: deadline, showsDamage: showsDamage,
            isPart: isPart)
        let reply = MediaTranscoder.run(job, input: input, outputs: outputs, sendInterim: sendInterim)
        return Outcome(reply: reply, outputs: outputs.map(contents))
    }

    /// Returns the red, green, blue and alpha of one pixel of an encoded image.
    static func pixel(_ bytes: [UInt8], as format: MediaFormat, x: Int, y: Int) throws -> [Int] {
        try mean(bytes, as: format, x: x, y: y, radius: 0)
    }

    /// Returns the mean of the pixels around a position. The mean hardly depends on how the image was scaled or
    /// encoded.
    static func mean(_ bytes: [UInt8], as format: MediaFormat, x: Int, y: Int, radius: Int = 1) throws -> [Int] {
        let rows = try rows(of: bytes, as: format)
        return (0..<4).map { channel in
            var sum = 0
            for row in y - radius...y + radius {
                for column in x - radius...x + radius { sum += Int(rows[row][column * 4 + channel]) }
            }
            return sum / ((2 * radius + 1) * (2 * radius + 1))
        }
    }

    /// Returns the red, green, blue and alpha of all pixels of an encoded image, row by row.
    static func rows(of bytes: [UInt8], as format: MediaFormat) throws -> [[UInt8]] {
        let descriptor = temporaryFile(bytes)
        defer { close(descriptor) }
        let input = try MappedInput.map(descriptor)
        let facts = try input.withBytes { span throws(TranscodeFailure) in
            try ImageInspection.inspect(span, as: format, limits: DecodeLimits())
        }
        let frame = try ImageDecoding.decode(input, facts: facts, wanted: facts.size, limits: DecodeLimits())
        let target = try Frame.allocate(width: frame.width, height: frame.height, format: AV_PIX_FMT_RGBA)
        try Scaler.make(from: frame.shape, to: target.shape, quality: .still).scale(frame, into: target)
        let stride = target.stride(0)
        return target.withPlane(0) { plane in
            (0..<target.height).map { plane.bytes(at: $0 * stride, count: target.width * 4) }
        }
    }

    static func temporaryFile(_ bytes: [UInt8]) -> Int32 {
        var template = Array("/tmp/agd-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        unlink(template)
        _ = write(descriptor, bytes, bytes.count)
        return descriptor
    }

    private static func contents(_ descriptor: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: lseek(descriptor, 0, SEEK_END))
        _ = pread(descriptor, &bytes, bytes.count, 0)
        return bytes
    }
}

extension Span<UInt8> {
    /// Copies a part. A loop over the bytes of a picture takes seconds in a build that is not optimized.
    func bytes(at start: Int, count: Int) -> [UInt8] {
        extracting(start..<start + count).withUnsafeBufferPointer { Array($0) }
    }
}
