import Base

/// The encoding of jobs and replies as messages.
///
/// This target is shared by the daemon and its workers. It converts jobs and replies between Swift values and bytes.
/// One value is one message: a version byte, then the fields in little-endian order without padding.
///
/// Both programs are built together, so there is one version and no negotiation. Decoding does not trust the sender. It
/// throws `WireError` if a length is too large, a code is unknown, or bytes follow after the last field.
///
/// The functions have no side effects. They run on the caller's thread, which is the pool's loop in the daemon and the
/// only thread in a worker. They do not suspend, so no component cancels them.
///
/// To add a new field of a job, do this: write a property of ``TranscodeJob`` or ``RenditionSpec``, and write and read
/// it at the same place in `encode` and `decodeJob`. `WireRoundTripTests` fails until its expected bytes have the
/// field. Then set the field in a job of `WireSamples`, which the tests encode and decode.
package enum TranscodeWire {
    package static let version: UInt8 = 1
    /// The first byte of a report of a forbidden system call. No version has this value.
    package static let violationMark: UInt8 = 0xFF
    package static let maxSpecs = 8
    package static let maxDetailBytes = 240
    /// The length of the longest BlurHash, which has nine by nine components.
    package static let maxBlurhashBytes = 166
    package static let maxColorBytes = 7
    package static let maxCodecBytes = 24
    /// The maximum number of bytes of a message. The socket refuses longer messages.
    package static let maxBytes = 4_096

    package static func encode(_ job: TranscodeJob) -> [UInt8] {
        var writer = WireWriter()
        writer.put(version)
        writer.put(job.id)
        writer.put(job.format.rawValue)
        writer.put(job.limits.scalablePixels)
        writer.put(job.limits.decodedBytes)
        writer.put(job.limits.frames)
        writer.put(job.limits.durationMilliseconds)
        writer.put(job.limits.scans)
        writer.put(job.deadline)
        writer.put(UInt8(clamping: job.specs.count))
        for order in job.specs {
            writer.put(order.role.wireCode)
            writer.put(order.imageSide)
            writer.put(order.videoSide)
            writer.put(order.copiedVideoSide)
            writer.put(order.imageBytes)
            writer.put(order.jpegQuality)
            writer.put(order.videoBytes)
            writer.put(order.soundBytes)
            writer.put(order.stillAtMilliseconds)
            writer.put(order.clip != nil)
            if let clip = order.clip { for side in [clip.x, clip.y, clip.width, clip.height] { writer.put(side) } }
            writer.put(order.minAspect)
            writer.put(order.isMask)
            writer.put(order.copiesHEVC)
            writer.put(order.takesVideos)
            writer.put(order.takesAnimations)
            writer.put(order.takesWebAnimations)
        }
        writer.put(job.pace.thousandths)
        writer.put(job.showsDamage)
        writer.put(job.isPart)
        return writer.bytes
    }

    package static func decodeJob(_ bytes: [UInt8]) throws(WireError) -> TranscodeJob {
        var reader = WireReader(bytes)
        try reader.expect(version)
        var job = TranscodeJob(
            id: try reader.get(), format: try reader.format(\.isDecoded),
            limits: DecodeLimits(
                scalablePixels: try reader.get(), decodedBytes: try reader.get(), frames: try reader.get(),
                durationMilliseconds: try reader.get(), scans: try reader.get()),
            specs: [], deadline: try reader.optional(UInt64.self))
        for _ in 0..<(try reader.count(upTo: maxSpecs)) {
            job.specs.append(
                RenditionSpec(
                    role: try reader.role(), imageSide: try reader.get(), videoSide: try reader.get(),
                    copiedVideoSide: try reader.get(), imageBytes: try reader.get(), jpegQuality: try reader.get(),
                    videoBytes: try reader.get(), soundBytes: try reader.get(),
                    stillAtMilliseconds: try reader.optional(UInt32.self), clip: try clip(&reader),
                    minAspect: try reader.optional(UInt32.self), isMask: try reader.flag(),
                    copiesHEVC: try reader.flag(), takesVideos: try reader.flag(),
                    takesAnimations: try reader.flag(), takesWebAnimations: try reader.flag()))
        }
        job.pace = try SpeedEstimate(thousandths: reader.get())
        job.showsDamage = try reader.flag()
        job.isPart = try reader.flag()
        try reader.end()
        return job
    }

    private static func clip(_ reader: inout WireReader) throws(WireError) -> Rectangle<UInt32>? {
        guard try reader.flag() else { return nil }
        return Rectangle(x: try reader.get(), y: try reader.get(), width: try reader.get(), height: try reader.get())
    }

    package static func encode(_ reply: TranscodeReply) -> [UInt8] {
        var writer = WireWriter()
        writer.put(version)
        writer.put(reply.id)
        writer.put(reply.isInterim)
        writer.put(UInt8(clamping: reply.stages.count))
        for stage in reply.stages {
            writer.put(stage.name.rawValue)
            writer.put(stage.microseconds)
        }
        switch reply.result {
        case .success(let reports):
            writer.put(UInt8(0))
            writer.put(UInt8(clamping: reports.count))
            for report in reports {
                writer.put(report.role.wireCode)
                writer.put(report.format.rawValue)
                writer.put(report.width)
                writer.put(report.height)
                writer.put(report.bytes)
                writer.put(report.frames)
                writer.put(report.keptFrames)
                writer.put(report.sourceFrames)
                writer.put(report.durationMilliseconds)
                writer.put(report.blurhash, upTo: maxBlurhashBytes)
                writer.put(report.dominantColor, upTo: maxColorBytes)
                writer.put(report.reduction?.rawValue ?? 0)
                writer.put(report.damage != nil)
                if let damage = report.damage {
                    writer.put(damage.rows)
                    writer.put(damage.frames)
                }
                writer.put(report.streams != nil)
                if let streams = report.streams { writer.put(streams) }
                writer.put(report.source != nil)
                if let source = report.source { writer.put(source) }
            }
            writer.put(reply.cost != nil)
            if let cost = reply.cost {
                writer.put(cost.ordered)
                writer.put(cost.least)
                writer.put(cost.made)
            }
        case .failure(let failure):
            writer.put(failure.code.rawValue)
            writer.put(failure.detail, upTo: maxDetailBytes)
        }
        return writer.bytes
    }

    private static func reduction(_ reader: inout WireReader) throws(WireError) -> RenditionReduction? {
        let code = try reader.get(UInt8.self)
        guard code != 0 else { return nil }
        guard let reduction = RenditionReduction(rawValue: code) else { throw WireError() }
        return reduction
    }

    private static func damage(_ reader: inout WireReader) throws(WireError) -> SourceDamage? {
        guard try reader.flag() else { return nil }
        let damage = SourceDamage(rows: try reader.get(), frames: try reader.optional(UInt32.self))
        guard (SourceDamage.minRows...100).contains(damage.rows), damage.frames != 0 else { throw WireError() }
        return damage
    }

    private static func cost(_ reader: inout WireReader) throws(WireError) -> TranscodeCost? {
        guard try reader.flag() else { return nil }
        return TranscodeCost(ordered: try reader.get(), least: try reader.get(), made: try reader.optional(UInt64.self))
    }

    package static func decodeReply(_ bytes: [UInt8]) throws(WireError) -> TranscodeReply {
        var reader = WireReader(bytes)
        try reader.expect(version)
        var reply = TranscodeReply(id: try reader.get(), isInterim: try reader.flag(), result: .success([]))
        for _ in 0..<(try reader.count(upTo: TranscodeStage.Name.allCases.count)) {
            reply.stages.append(
                TranscodeStage(name: try reader.code(TranscodeStage.Name.self), microseconds: try reader.get()))
        }
        let code = try reader.get(UInt8.self)
        guard code == 0 else {
            guard let code = TranscodeFailureCode(rawValue: code) else { throw WireError() }
            reply.result = .failure(TranscodeFailure(code, try reader.text(upTo: maxDetailBytes)))
            try reader.end()
            return reply
        }
        var reports: [RenditionReport] = []
        for _ in 0..<(try reader.count(upTo: maxSpecs)) {
            reports.append(
                RenditionReport(
                    role: try reader.role(), format: try reader.format(\.isRendition),
                    width: try reader.get(), height: try reader.get(), bytes: try reader.get(),
                    frames: try reader.get(), keptFrames: try reader.optional(UInt32.self),
                    sourceFrames: try reader.optional(UInt32.self),
                    durationMilliseconds: try reader.duration(),
                    blurhash: try reader.optionalText(upTo: maxBlurhashBytes),
                    dominantColor: try reader.optionalText(upTo: maxColorBytes), reduction: try reduction(&reader),
                    damage: try damage(&reader), streams: try reader.flag() ? try reader.streams() : nil,
                    source: try reader.flag() ? try reader.source() : nil))
        }
        reply.result = .success(reports)
        reply.cost = try cost(&reader)
        try reader.end()
        return reply
    }
}

/// The error of a message that does not follow this version.
package struct WireError: Error, Sendable, Equatable {
    package init() {}
}
