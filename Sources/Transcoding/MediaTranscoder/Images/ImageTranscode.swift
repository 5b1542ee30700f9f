import Base
import LinuxIO
import MediaHeaders
import TranscodeProtocol

/// The steps from an image to its renditions: inspect, plan, decode once, scale from large to small, and encode each.
enum ImageTranscode {
    static func run(
        _ job: TranscodeJob, source: borrowing MappedInput, outputs: [Int32], clock: inout StageClock,
        time: inout TimeAllowance
    ) throws(TranscodeFailure) -> [RenditionReport] {
        do throws(TranscodeFailure) {
            guard !job.isPart else { throw .corrupt("the file is incomplete") }
            return try run(job, takesDamaged: false, source: source, outputs: outputs, clock: &clock, time: &time)
        } catch {
            guard error.code == .corrupt, job.showsDamage, [.jpeg, .png, .gif].contains(job.format) else { throw error }
            time = TimeAllowance(until: job.deadline, from: MonotonicClock.microseconds, at: job.pace)
            do throws(TranscodeFailure) {
                return try run(job, takesDamaged: true, source: source, outputs: outputs, clock: &clock, time: &time)
            } catch let second {
                // If too much of a damaged image is missing, the job fails with the first error.
                throw [.storage, .tooLarge].contains(second.code) ? second : error
            }
        }
    }

    private static func run(
        _ job: TranscodeJob, takesDamaged: Bool, source: borrowing MappedInput, outputs: [Int32],
        clock: inout StageClock, time: inout TimeAllowance
    ) throws(TranscodeFailure) -> [RenditionReport] {
        let facts = try clock.measure(.inspect) { () throws(TranscodeFailure) in
            try source.withBytes { bytes throws(TranscodeFailure) in
                try ImageInspection.inspect(bytes, as: job.format, limits: job.limits, takesDamaged: takesDamaged)
            }
        }
        let work = try TranscodePlan.fitting(job.specs, of: facts, byteCount: source.count, in: time.budget)
        time.cost = TranscodeCost(estimated: work.orderedCost, least: work.minCost, made: work.cost)
        var reports = [RenditionReport?](repeating: nil, count: work.plans.count)
        for (index, plan) in work.plans.enumerated() {
            switch plan {
            case .copy:
                reports[index] = try clock.measure(
                    .encode, copy(source, facts: facts, order: work.specs[index], output: outputs[index]))
            case .animation:
                var pace = AnimationPace(until: time.deadline)
                do throws(TranscodeFailure) {
                    reports[index] = try AnimationTranscode.write(
                        source, facts: facts, order: work.specs[index], output: outputs[index], limits: job.limits,
                        pace: &pace, clock: &clock)
                } catch {
                    guard AnimationTranscode.leavesStill(error, from: facts.format) else { throw error }
                    var job = job
                    job.specs[index].takesAnimations = false
                    var stills = try run(
                        job, takesDamaged: takesDamaged, source: source, outputs: outputs, clock: &clock, time: &time)
                    if pace.wasLate { for place in stills.indices { stills[place].showStill() } }
                    return stills
                }
            case .still, .part: break
            }
        }
        let damage = try makeStills(
            work, source: source, outputs: outputs, limits: job.limits, clock: &clock, into: &reports)
        for (index, order) in work.specs.enumerated() where order.role == .attachment {
            reports[index]?.reduction = work.reduction
            reports[index]?.damage = damage
            // A still image of an animation shows one frame, so its report does not mention the later frames.
            if !facts.isAnimated || work.plans[index].isCopy { reports[index]?.cut(to: facts.frames, of: facts) }
        }
        return reports.compactMap { $0 }
    }

    /// Makes the still images. The source is decoded even if no still image is requested: a damaged image must not be
    /// copied, and each rendition has a preview.
    ///
    /// - Returns: The damage of an image that is shown as far as it can be decoded; `nil` for an intact image.
    private static func makeStills(
        _ work: TranscodePlan, source: borrowing MappedInput, outputs: [Int32], limits: DecodeLimits,
        clock: inout StageClock, into reports: inout [RenditionReport?]
    ) throws(TranscodeFailure) -> SourceDamage? {
        let (facts, specs) = (work.facts, work.specs)
        for (index, order) in specs.enumerated() where order.frame(of: facts) > 0 {
            reports[index] = try laterThumbnail(
                order, part: work.plans[index].part, facts: facts, source: source, output: outputs[index],
                clock: &clock)
        }
        var damage: SourceDamage?
        let decoded = try clock.measure(.decode) { () throws(TranscodeFailure) in
            guard facts.isDamaged else {
                return try ImageDecoding.decode(source, facts: facts, wanted: work.wanted, limits: limits)
            }
            let damaged = try DamagedImage.decode(source, facts: facts, wanted: work.wanted, limits: limits)
            damage = damaged.damage
            return damaged.frame
        }
        for (index, plan) in work.plans.enumerated() {
            guard let part = plan.part, reports[index] == nil else { continue }
            let image = try clock.measure(.scale, part.image(of: decoded, facts.orientation))
            var report = try clock.measure(
                .encode, StillOutput.write(image, from: facts.format, order: specs[index], output: outputs[index]))
            if specs[index].role == .attachment {
                report.preview = try clock.measure(.scale, PreviewMaking.preview(of: image))
            }
            reports[index] = report
        }
        // An attachment may show a part of the image. The preview of such an attachment shows that part too.
        let isPreviewed = zip(specs, work.plans).contains { $0.role == .attachment && $1.part != nil }
        if work.stills.isEmpty, isPreviewed { return damage }
        var image = try clock.measure(
            .scale, ColorConversion.sRGB(ImageScaling.scale(decoded, to: work.largest)).turned(facts.orientation))
        for still in work.stills where reports[still.index] == nil {
            if still.size != image.size { image = try clock.measure(.scale, image.reduced(to: still.size)) }
            let (order, output) = (specs[still.index], outputs[still.index])
            reports[still.index] = try clock.measure(
                .encode, StillOutput.write(image, from: facts.format, order: order, output: output))
        }
        guard !isPreviewed else { return damage }
        let preview = try clock.measure(.scale, PreviewMaking.preview(of: image))
        for (index, order) in specs.enumerated() where order.role == .attachment {
            reports[index]?.preview = preview
        }
        return damage
    }

    private static func copy(
        _ source: borrowing MappedInput, facts: ImageFacts, order: RenditionSpec, output: Int32
    ) throws(TranscodeFailure) -> RenditionReport {
        let file = try OutputFile(output, maxBytes: order.imageBytes)
        let kept = facts.kept ?? RetainedRanges()
        try source.withBytes { bytes throws(TranscodeFailure) in
            try file.write(kept.beginning.span)
            for range in kept.ranges { try file.write(bytes.extracting(range)) }
        }
        try file.write(kept.ending.span)
        // The image of an icon may be a PNG.
        let format = facts.format.isRendition ? facts.format : .png
        return RenditionReport(
            role: order.role, format: format, width: UInt32(facts.size.width), height: UInt32(facts.size.height),
            bytes: UInt64(file.byteCount), frames: UInt32(clamping: facts.frames),
            durationMilliseconds: facts.durationMilliseconds.map { UInt64($0) })
    }
}

extension RenditionReport {
    /// Marks an attachment as a still image that replaces its animation for lack of time.
    fileprivate mutating func showStill() {
        if role == .attachment, reduction == nil { reduction = .still }
    }
}

extension ImageTranscode {
    /// Makes the thumbnail from a later frame of an animation.
    ///
    /// - Returns: `nil` for a damaged frame. The first frame is shown instead.
    static func laterThumbnail(
        _ order: RenditionSpec, part: ClippedStill?, facts: ImageFacts, source: borrowing MappedInput, output: Int32,
        clock: inout StageClock
    ) throws(TranscodeFailure) -> RenditionReport? {
        do throws(TranscodeFailure) {
            let frame = try clock.measure(.decode, facts.frame(order.frame(of: facts), of: source))
            let image = try clock.measure(.scale) { () throws(TranscodeFailure) in
                if let part { return try part.image(of: frame, facts.orientation) }
                let size = facts.size.fitting(longestSide: Int(order.imageSide))
                return try ColorConversion.sRGB(ImageScaling.scale(frame, to: size))
            }
            return try clock.measure(
                .encode, StillOutput.write(image, from: facts.format, order: order, output: output))
        } catch {
            guard error.code == .corrupt || error.code == .unsupported else { throw error }
            return nil
        }
    }
}

extension RenditionSpec {
    /// Returns the index of the frame that a thumbnail shows. For an animation, `thumbnailTime` is a number of frames.
    func frame(of facts: ImageFacts) -> Int {
        guard role == .thumbnail, let time = stillAtMilliseconds else { return 0 }
        return max(0, min(Int(time) / 1_000, facts.delays.count - 1))
    }
}
