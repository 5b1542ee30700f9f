/// The rendition that a worker made in place of the ordered one, for want of time.
package enum RenditionReduction: UInt8, Sendable, Equatable, CaseIterable {
    /// A smaller picture.
    case smaller = 1
    /// A still in place of what moves.
    case still
    /// A picture of the thumbnail's size, and no thumbnail beside it.
    case thumbnail
}

/// The part of a damaged picture that a worker has decoded.
package struct SourceDamage: Sendable, Equatable {
    /// At least this many rows are needed, in percent.
    package static let leastRows: UInt8 = 50

    /// Decoded rows, in percent and rounded down: `leastRows`…100. 100 means that no row is missing.
    package var rows: UInt8
    /// Whole frames of a damaged animation, from its first one on; `nil` for a still.
    package var frames: UInt32?

    package init(rows: UInt8, frames: UInt32? = nil) {
        self.rows = rows
        self.frames = frames
    }
}

/// The report of a worker about one output descriptor. The daemon checks each figure again: it trusts no worker.
package struct RenditionReport: Sendable, Equatable {
    package var role: RenditionRole
    package var format: RenditionFormat
    /// Pixels, after orientation.
    package var width: UInt32
    package var height: UInt32
    package var bytes: UInt64
    /// Frames of the file: of an animation or a video, 1 for a still.
    package var frames: UInt32
    /// Frames of the source up to the last one that is shown, for an animation that is cut to its first frames; `nil` for
    /// others.
    package var keptFrames: UInt32?
    /// All frames of the source of an animation that is cut to its first ones; `nil` for others.
    package var sourceFrames: UInt32?
    package var durationMilliseconds: UInt64?
    /// The whole picture, blurred, as a BlurHash. ASCII, cut at `TranscodeWire.mostBlurhashBytes`.
    package var blurhash: String?
    /// The colour that most of it has, as `#rrggbb`. ASCII, cut at `TranscodeWire.mostColorBytes`.
    package var dominantColor: String?
    /// `nil`: it is what was ordered.
    package var reduction: RenditionReduction?
    /// Damage of the source, on the attachment's report; `nil` for none.
    package var damage: SourceDamage?
    /// The streams of a film or sound; `nil` for others.
    package var streams: StreamReport?
    /// The film or sound that it is made from, on the attachment's report; `nil` for others.
    package var source: SourceReport?

    package init(
        role: RenditionRole, format: RenditionFormat, width: UInt32, height: UInt32, bytes: UInt64, frames: UInt32 = 1,
        keptFrames: UInt32? = nil, sourceFrames: UInt32? = nil, durationMilliseconds: UInt64? = nil,
        blurhash: String? = nil,
        dominantColor: String? = nil, reduction: RenditionReduction? = nil, damage: SourceDamage? = nil,
        streams: StreamReport? = nil, source: SourceReport? = nil
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

/// Why a source gave no renditions.
package enum TranscodeFailureCode: UInt8, Sendable, Equatable, CaseIterable {
    /// The format, codec or feature is not one that renditions are made of.
    case unsupported = 1
    /// The bytes are not what the format says, or end too early.
    case corrupt
    /// More pixels, frames, scans or decoded bytes than the limits allow.
    case tooManyPixels
    /// No rendition fits the wanted bytes, or the source lasts too long.
    case tooLarge
    /// Writing an output failed.
    case storage
    /// A fault of the worker itself.
    case internalFault
}

package struct TranscodeFailure: Error, Sendable, Equatable {
    package var code: TranscodeFailureCode
    /// One line for people: what, where. ASCII, cut at `TranscodeWire.mostDetailBytes`.
    package var detail: String

    package init(_ code: TranscodeFailureCode, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}

/// The time of one step of a job.
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

/// The cost of a job by the headers of its source, in microseconds on the machine that the figures are of.
/// `SpeedEstimate` says how this machine differs.
package struct TranscodeCost: Sendable, Equatable {
    /// The cost of all ordered renditions.
    package var ordered: UInt64
    /// The cost of the least that could be made in their place.
    package var least: UInt64
    /// The cost of the renditions that were made; `nil` when nothing tells it.
    package var made: UInt64?

    package init(ordered: UInt64, least: UInt64, made: UInt64?) {
        self.ordered = ordered
        self.least = least
        self.made = made
    }

    /// - Parameters: not negative.
    package init(estimated ordered: Double, least: Double, made: Double?) {
        func whole(_ cost: Double) -> UInt64 { UInt64(min(cost, 1e15)) }
        self.init(ordered: whole(ordered), least: whole(least), made: made.map(whole))
    }
}

/// The answer to one job: a report for each order, in the orders' sequence, or one failure for all of them.
///
/// An interim reply comes before the answer, when the stills of a video are made and the video itself takes longer or
/// fails. It has a report for each order that is no attachment.
package struct TranscodeReply: Sendable, Equatable {
    package var id: UInt32
    package var isInterim: Bool
    package var result: Result<[RenditionReport], TranscodeFailure>
    package var stages: [TranscodeStage]
    /// `nil` when nothing tells it, and for failures.
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
