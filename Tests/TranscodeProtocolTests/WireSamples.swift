import Base

@testable import TranscodeProtocol

/// The sample messages with each field set and unset.
enum WireSamples {
    static let order = RenditionSpec(
        role: .attachment, imageSide: 1_024, videoSide: 1_280, copiedVideoSide: 1_920, imageBytes: 10 << 20,
        jpegQuality: 85, videoBytes: 50 << 20, soundBytes: 5 << 20)
    static let clipped = RenditionSpec(
        role: .thumbnail, imageSide: 256, videoSide: 1_280, copiedVideoSide: 1_920, imageBytes: 10 << 20,
        jpegQuality: 85, videoBytes: 50 << 20, soundBytes: 5 << 20,
        clip: Rectangle<UInt32>(x: 250_000, y: 0, width: 500_000, height: 1_000_000))
    static let badge = RenditionSpec(
        role: .attachment, imageSide: 96, videoSide: 1_280, copiedVideoSide: 1_920, imageBytes: 1_000_000,
        jpegQuality: 85, videoBytes: 50 << 20, soundBytes: 5 << 20,
        minAspect: 2, isMask: true, takesVideos: false, takesAnimations: false)
    static let fine = RenditionSpec(
        role: .attachment, imageSide: 1_024, videoSide: 1_280, copiedVideoSide: 1_920, imageBytes: 10 << 20,
        jpegQuality: 100, videoBytes: 50 << 20, soundBytes: 5 << 20)
    static func pace(_ thousandths: UInt32) -> SpeedEstimate {
        do { return try SpeedEstimate(thousandths: thousandths) } catch {
            preconditionFailure("the speed estimate is out of range")
        }
    }
    static let report = RenditionReport(role: .attachment, format: .jpeg, width: 640, height: 480, bytes: 54_321)
    private static func damaged(rows: UInt8 = 100, frames: UInt32? = nil) -> RenditionReport {
        var report = report
        report.damage = SourceDamage(rows: rows, frames: frames)
        return report
    }
    static let stages = TranscodeStage.Name.allCases.map { name in
        TranscodeStage(name: name, microseconds: UInt64(name.rawValue) * 1_000)
    }

    static let jobs: [TranscodeJob] =
        MediaFormat.decoded.map { TranscodeJob(id: 1, format: $0, specs: [order]) }
        + RenditionKind.allCases.map { role in
            var order = order
            order.role = role
            order.stillAtMilliseconds = role == .attachment ? nil : 1_500
            return TranscodeJob(id: 2, format: .mp4, specs: [order])
        } + [
            TranscodeJob(id: 0, format: .png, specs: []), longestJob,
            TranscodeJob(
                id: 8, format: .jpeg, specs: [order, clipped], deadline: 0, pace: pace(2_718)),
            TranscodeJob(id: 9, format: .jpeg, specs: [badge, fine], deadline: 30_000_000),
            TranscodeJob(id: 10, format: .jpeg, specs: [order], showsDamage: true),
            TranscodeJob(id: 11, format: .jpeg, specs: [order], isPart: true),
            TranscodeJob(
                id: 0x0102_0304, format: .gif,
                limits: DecodeLimits(
                    scalablePixels: 0x0102_0304_0506_0708, decodedBytes: 2, frames: 3, durationMilliseconds: 4,
                    scans: 5), specs: [order, order]),
        ]

    static let longestJob = TranscodeJob(
        id: .max, format: .mp4,
        limits: DecodeLimits(
            scalablePixels: .max, decodedBytes: .max, frames: .max, durationMilliseconds: .max, scans: .max),
        specs: Array(
            repeating: RenditionSpec(
                role: .poster, imageSide: .max, videoSide: .max, copiedVideoSide: .max, imageBytes: .max,
                jpegQuality: .max, videoBytes: .max, soundBytes: .max,
                stillAtMilliseconds: .max, clip: Rectangle<UInt32>(x: .max, y: .max, width: .max, height: .max),
                minAspect: .max, isMask: true, copiesHEVC: true, takesVideos: true, takesWebAnimations: true),
            count: TranscodeWire.maxSpecs), deadline: .max, pace: pace(20_000))

    static let replies: [TranscodeReply] =
        TranscodeFailureCode.allCases.map { code in
            TranscodeReply(id: 3, result: .failure(TranscodeFailure(code, "Code \(code.rawValue) ~ all of it!")))
        }
        + RenditionKind.allCases.flatMap { role in
            MediaFormat.renditions.map { format in
                var report = report
                report.role = role
                report.format = format
                return TranscodeReply(id: 4, result: .success([report]), stages: stages)
            }
        } + [
            TranscodeReply(id: 0, result: .success([])),
            TranscodeReply(id: 10, isInterim: true, result: .success([report])),
            TranscodeReply(id: 5, result: .failure(TranscodeFailure(.corrupt, "")), stages: stages),
            TranscodeReply(id: 6, result: .success([video, report, report]), stages: [stages[2]]),
            TranscodeReply(id: 7, result: .success([preview, colorless]), stages: []),
            TranscodeReply(id: 10, result: .success([sound])),
            TranscodeReply(id: 9, result: .success([damaged(rows: 50), damaged(rows: 100), damaged(frames: .max)])),
            TranscodeReply(
                id: 8, result: .success([report]), cost: TranscodeCost(ordered: 61_000, least: 29_000, made: 35_000)),
            maxSuccess, maxFailure,
        ]

    static let video = RenditionReport(
        role: .attachment, format: .mp4, width: 1_280, height: 720, bytes: 0x0102_0304_0506_0708, frames: 250,
        keptFrames: 249, sourceFrames: 251, durationMilliseconds: 10_000, streams: streams,
        source: SourceReport(
            frames: 300, durationMilliseconds: 12_000, streams: streams, soundOmission: .unreadable, isCut: true))
    static let streams = StreamFacts(
        videoCodec: "h264", frameRate: 29.97, audioCodec: "aac", sampleRate: 48_000, channels: 2, bitRate: 800_000)
    private static let longestStreams = StreamFacts(
        videoCodec: String(repeating: "v", count: TranscodeWire.maxCodecBytes), frameRate: Double(UInt32.max) / 1_000,
        audioCodec: String(repeating: "a", count: TranscodeWire.maxCodecBytes), sampleRate: Int(UInt32.max),
        channels: Int(UInt32.max), bitRate: .max)

    static let sound = RenditionReport(
        role: .attachment, format: .m4a, width: 0, height: 0, bytes: 3, streams: StreamFacts(), source: SourceReport())

    static let preview = RenditionReport(
        role: .attachment, format: .png, width: 4, height: 3, bytes: 9, blurhash: "L00000fQfQfQfQfQfQfQfQfQfQfQ",
        dominantColor: "#000000")
    static let colorless = RenditionReport(
        role: .attachment, format: .png, width: 4, height: 3, bytes: 9, blurhash: "00TSUA", reduction: .smaller)

    private static let longestStages = TranscodeStage.Name.allCases.map { name in
        TranscodeStage(name: name, microseconds: .max)
    }
    static let maxSuccess = TranscodeReply(
        id: .max,
        result: .success(
            Array(
                repeating: RenditionReport(
                    role: .poster, format: .mp4, width: .max, height: .max, bytes: .max, frames: .max,
                    keptFrames: .max, sourceFrames: .max, durationMilliseconds: 1 << 40,
                    blurhash: String(repeating: "~", count: TranscodeWire.maxBlurhashBytes),
                    dominantColor: String(repeating: "f", count: TranscodeWire.maxColorBytes), reduction: .still,
                    damage: SourceDamage(rows: 100, frames: .max), streams: longestStreams,
                    source: SourceReport(
                        frames: .max, durationMilliseconds: 1 << 40, streams: longestStreams, soundOmission: .cut,
                        isCut: true)),
                count: TranscodeWire.maxSpecs)), stages: longestStages,
        cost: TranscodeCost(ordered: UInt64.max, least: .max, made: .max))
    static let maxFailure = TranscodeReply(
        id: .max,
        result: .failure(
            TranscodeFailure(.internalFault, String(repeating: "x", count: TranscodeWire.maxDetailBytes))),
        stages: longestStages)
}
