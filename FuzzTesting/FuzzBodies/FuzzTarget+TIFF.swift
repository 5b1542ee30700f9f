import Base
import Glibc
import LinuxIO
import MediaTranscoder
import NotificationModel
import TranscodeProtocol

extension FuzzTarget {
    private static let prepared: Void = MediaTranscoder.prepare()

    /// Transcodes a TIFF like a worker: libtiff opens it, its layout is checked, and a decodable image becomes a
    /// rendition.
    static func tiff(_ bytes: [UInt8]) throws(FuzzFinding) {
        _ = prepared
        let order = RenditionSpec(
            role: .thumbnail, imageSide: 64, videoSide: 64, copiedVideoSide: 64, imageBytes: 1 << 20,
            jpegQuality: 85, videoBytes: 1 << 20, soundBytes: 1 << 20, stillAtMilliseconds: nil, clip: nil)
        // The limits are small, because larger images take longer and reveal no further errors.
        let job = TranscodeJob(id: 1, format: .tiff, limits: DecodeLimits(decodedBytes: 4 << 20), specs: [order])
        guard let input = try? AnonymousFile.createInMemory(), let output = try? AnonymousFile.createInMemory() else {
            throw FuzzFinding("there is memory for a file")
        }
        guard (try? FileSystem.write(bytes[...], to: input.descriptor)) != nil else {
            throw FuzzFinding("a file in memory can be written")
        }
        let reply = MediaTranscoder.run(job, input: input.descriptor, outputs: [output.descriptor])
        switch reply.result {
        case .success(let reports):
            try require(reports.count == 1 && reports[0].width > 0, "a TIFF that is decoded has a rendition")
        case .failure(let failure):
            try require(
                [.corrupt, .unsupported, .tooManyPixels].contains(failure.code), "a TIFF is refused for what it is")
        }
    }
}
