package import Base

/// The reduced rendition that a worker made because the time was too short for the requested rendition.
package enum RenditionReduction: UInt8, Sendable, Equatable, CaseIterable {
    /// An image of smaller size.
    case smaller = 1
    /// A still image instead of a video or an animation.
    case still
    /// An image of the thumbnail's size, and no separate thumbnail.
    case thumbnail
}

/// The part of a damaged image that a worker has decoded.
package struct SourceDamage: Sendable, Equatable {
    /// The smallest part that is shown, in percent of the rows.
    package static let minRows: UInt8 = 50

    /// The number of decoded rows in percent, rounded down, `minRows`…100. At 100, no row is missing.
    package var rows: UInt8
    /// The number of whole frames at the beginning of a damaged animation; `nil` for a still image.
    package var frames: UInt32?

    package init(rows: UInt8, frames: UInt32? = nil) {
        self.rows = rows
        self.frames = frames
    }
}

/// A worker's report about one output descriptor. The daemon does not trust a worker, and verifies each value.
package struct RenditionReport: Sendable, Equatable {
    package var role: RenditionKind
    /// The file type, one of `MediaFormat.renditions`.
    package var format: MediaFormat
    /// The width after orientation, in pixels.
    package var width: UInt32
    package var height: UInt32
    package var bytes: UInt64
    /// The number of frames of an animation or a video; 1 for a still image.
    package var frames: UInt32
    /// The number of source frames up to the last shown one, if an animation is cut to its first frames; else `nil`.
    package var keptFrames: UInt32?
    /// The number of frames of the source, if an animation is cut to its first frames; `nil` for other renditions.
    package var sourceFrames: UInt32?
    package var durationMilliseconds: UInt64?
    /// The BlurHash of the whole image, ASCII cut to `TranscodeWire.maxBlurhashBytes`; `nil` if none was made.
    package var blurhash: String?
    /// The most frequent color of the image, as `#rrggbb`. It is ASCII, cut to `TranscodeWire.maxColorBytes`.
    package var dominantColor: String?
    /// The reduction of the rendition; `nil` if the rendition is as requested.
    package var reduction: RenditionReduction?
    /// The damage of the source, in the attachment's report; `nil` for an intact source.
    package var damage: SourceDamage?
    /// The streams of a video or audio rendition; `nil` for other renditions.
    package var streams: StreamFacts?
    /// The video or audio source, in the attachment's report; `nil` for other reports.
    package var source: SourceReport?

    package init(
        role: RenditionKind, format: MediaFormat, width: UInt32, height: UInt32, bytes: UInt64, frames: UInt32 = 1,
        keptFrames: UInt32? = nil, sourceFrames: UInt32? = nil, durationMilliseconds: UInt64? = nil,
        blurhash: String? = nil,
        dominantColor: String? = nil, reduction: RenditionReduction? = nil, damage: SourceDamage? = nil,
        streams: StreamFacts? = nil, source: SourceReport? = nil
    ) {
        self.role = role
        self.format = format
        self.width = width
        self.height = height
        self.bytes = bytes
        self.frames = frames
        self.keptFrames = keptFrames
        self.sourceFrames = sourceFrames
        self.durationMilliseconds = durationMilliseconds
        self.blurhash = blurhash
        self.dominantColor = dominantColor
        self.reduction = reduction
        self.damage = damage
        self.streams = streams
        self.source = source
    }
}

/// The reason why a source has no renditions.
package enum TranscodeFailureCode: UInt8, Sendable, Equatable, CaseIterable {
    /// The format, the codec or one of its features is not supported.
    case unsupported = 1
    /// The bytes do not follow the format, or end too early.
    case corrupt
    /// The source has more pixels, frames, scans or decoded bytes than the limits allow.
    case tooManyPixels
    /// No rendition fits into the requested bytes, or the source lasts too long.
    case tooLarge
    /// The worker could not write an output.
    case storage
    /// The worker itself has a fault.
    case internalFault
}

package struct TranscodeFailure: Error, Sendable, Equatable {
    package var code: TranscodeFailureCode
    /// One line that names the fault and its position. It is ASCII, cut to `TranscodeWire.maxDetailBytes`.
    package var detail: String

    package init(_ code: TranscodeFailureCode, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}

/// The time that one step of a job took.
package struct TranscodeStage: Sendable, Equatable {
    package enum Name: UInt8, Sendable, Equatable, CaseIterable {
        case inspect = 1
        case decode
        case scale
        case encode
    }

    package var name: Name
    package var microseconds: UInt64

    package init(name: Name, microseconds: UInt64) {
        self.name = name
        self.microseconds = microseconds
    }
}

/// The cost of a job by its source's headers, in microseconds of the measuring machine. See `SpeedEstimate`.
package struct TranscodeCost: Sendable, Equatable {
    /// The cost of all requested renditions.
    package var ordered: UInt64
    /// The cost of the cheapest renditions that may replace the requested renditions.
    package var least: UInt64
    /// The cost of the renditions that were made; `nil` if it is unknown.
    package var made: UInt64?

    package init(ordered: UInt64, least: UInt64, made: UInt64?) {
        self.ordered = ordered
        self.least = least
        self.made = made
    }

    /// Creates a cost from estimates.
    ///
    /// - Parameter ordered: The cost of all requested renditions, not negative.
    /// - Parameter least: The cost of the cheapest renditions that may replace the requested renditions, not negative.
    /// - Parameter made: The cost of the renditions that were made, not negative; `nil` if it is unknown.
    package init(estimated ordered: Double, least: Double, made: Double?) {
        func whole(_ cost: Double) -> UInt64 { UInt64(min(cost, 1e15)) }
        self.init(ordered: whole(ordered), least: whole(least), made: made.map(whole))
    }
}

/// The reply to one job: a report for each requested rendition in their order, or one failure for all of them.
///
/// A worker sends an interim reply if the still images of a video are ready before the video, or if the video fails.
/// The interim reply has a report for each rendition that is not an attachment.
package struct TranscodeReply: Sendable, Equatable {
    package var id: UInt32
    package var isInterim: Bool
    package var result: Result<[RenditionReport], TranscodeFailure>
    package var stages: [TranscodeStage]
    /// The cost of the job; `nil` if it is unknown, and for failures.
    package var cost: TranscodeCost?

    package init(
        id: UInt32, isInterim: Bool = false, result: Result<[RenditionReport], TranscodeFailure>,
        stages: [TranscodeStage] = [], cost: TranscodeCost? = nil
    ) {
        self.id = id
        self.isInterim = isInterim
        self.result = result
        self.stages = stages
        self.cost = cost
    }
}

/// A forbidden system call that a worker tried to make.
///
/// The worker's handler of SIGSYS writes a report instead of a reply, and ends the process. The report has the byte
/// `TranscodeWire.violationMark`, the architecture and the number of the call, in little-endian order.
package struct WorkerViolation: Sendable, Equatable {
    /// The architecture, an `AUDIT_ARCH_*` of linux/audit.h.
    package var architecture: UInt32
    package var call: Int32

    package init(architecture: UInt32, call: Int32) {
        self.architecture = architecture
        self.call = call
    }

    /// Reads the report from a message.
    ///
    /// - Returns: `nil` if the message is not a report of a forbidden call.
    package init?(message bytes: [UInt8]) {
        var reader = WireReader(bytes)
        do throws(WireError) {
            try reader.expect(TranscodeWire.violationMark)
            architecture = try reader.get()
            call = try reader.get()
            try reader.end()
        } catch {
            return nil
        }
    }
}
