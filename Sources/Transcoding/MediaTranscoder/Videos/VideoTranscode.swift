import Base
import CFFmpeg
import LinuxIO
import MediaHeaders
import TranscodeProtocol

/// The steps from a video to its renditions: inspect it, decode a key frame for still images, and copy or encode it.
enum VideoTranscode {
    /// Makes the renditions of a job.
    ///
    /// - Parameter stillsAreMade: A function that takes the reports of the still images. The function is called before
    ///   a video is encoded, and after a copy fails.
    static func run(
        _ job: TranscodeJob, source: borrowing MappedInput, outputs: [Int32], clock: inout StageClock,
        time: inout TimeAllowance, stillsAreMade: ([RenditionReport]) -> Void
    ) throws(TranscodeFailure) -> [RenditionReport] {
        let found = try clock.measure(.inspect, VideoFacts.inspect(source, as: job.format, limits: job.limits))
        guard var facts = found else {
            return try SoundTranscode.run(job, source: source, outputs: outputs, clock: &clock, time: &time)
        }
        facts.showsDamage = job.showsDamage
        var reports = [RenditionReport?](repeating: nil, count: job.specs.count)
        let videos = job.specs.indices.filter { job.specs[$0].role == .attachment }
        // The poster and the thumbnail share a frame unless they want different times.
        let stills = job.specs.indices.filter { job.specs[$0].role != .attachment }
        var times: [UInt32?] = []
        for index in stills where !times.contains(job.specs[index].stillAtMilliseconds) {
            times.append(job.specs[index].stillAtMilliseconds)
        }
        // A frame is always decoded. Headers may state a wrong size or none, and an unreadable video is no rendition.
        if times.isEmpty { times.append(nil) }
        for time in times {
            let wanted = stills.filter { job.specs[$0].stillAtMilliseconds == time }
            try makeStills(
                job, indices: wanted, at: time, source: source, facts: &facts, outputs: outputs, clock: &clock,
                into: &reports)
        }
        let isCopied = facts.soundCost == 0 && videos.allSatisfy { facts.fits(job.specs[$0], byteCount: source.count) }
        var unreported = job.isPart ? [] : reports.compactMap(\.self)
        func reportStills() {
            if !unreported.isEmpty { stillsAreMade(unreported) }
            unreported = []
        }
        if !isCopied { reportStills() }
        for index in videos {
            if !job.isPart {
                do throws(TranscodeFailure) {
                    reports[index] = try attachment(
                        source, facts: facts, order: job.specs[index], output: outputs[index], limits: job.limits,
                        clock: &clock, time: &time, copyFails: reportStills)
                } catch {
                    reportStills()
                    throw error
                }
            }
            guard reports[index] == nil else { continue }
            // A still image is better than no attachment.
            let poster = job.specs.first { $0.role == .poster }
            try makeStills(
                job, indices: [index], at: poster?.stillAtMilliseconds, source: source, facts: &facts, outputs: outputs,
                clock: &clock, into: &reports)
            reports[index]?.reduction = .still
            reports[index]?.source = facts.source
        }
        return reports.compactMap { $0 }
    }

    /// Makes the video of a rendition spec.
    ///
    /// - Parameter copyFails: A function that is called before encoding a video that could not be copied to its end.
    /// - Returns: `nil` if there is not enough time.
    private static func attachment(
        _ source: borrowing MappedInput, facts: VideoFacts, order: RenditionSpec, output: Int32, limits: DecodeLimits,
        clock: inout StageClock, time: inout TimeAllowance, copyFails: () -> Void
    ) throws(TranscodeFailure) -> RenditionReport? {
        if facts.fits(order, byteCount: source.count) {
            let cost = facts.soundCost
            if cost > 0 {
                let hasTime = cost <= time.forVideo(at: MonotonicClock.microseconds)
                time.cost = TranscodeCost(
                    estimated: cost, least: min(cost, facts.stillCost), made: hasTime ? cost : nil)
                guard hasTime else { return nil }
            }
            let copy = try clock.measure(
                .encode, VideoRemux.write(source, facts: facts, order: order, output: output, limits: limits))
            if let copy { return copy }
            copyFails()
        }
        return try VideoReencode.write(
            source, facts: facts, order: order, output: output, limits: limits, clock: &clock, time: &time)
    }

    private static func makeStills(
        _ job: TranscodeJob, indices: [Int], at time: UInt32?, source: borrowing MappedInput,
        facts: inout VideoFacts, outputs: [Int32], clock: inout StageClock, into reports: inout [RenditionReport?]
    ) throws(TranscodeFailure) {
        var frame = try clock.measure(
            .decode,
            VideoStill.decode(
                Demuxer.open(source, as: job.format), video: facts.video, at: time, limits: job.limits))
        facts.colors = VideoColors(frame)
        if frame.isInterlaced {
            facts.isInterlaced = true
            frame = try clock.measure(.scale, frame.deinterlaced())
        }
        facts.hasHighDynamicRange = frame.hdrTransfer != nil
        facts.size = frame.size
        frame.assumeVideoColors()
        let (uprightSize, orientation) = (facts.uprightSize, facts.orientation)
        var sizes: [(index: Int, size: PixelSize)] = []
        for index in indices {
            let order = job.specs[index]
            guard let part = ClippedStill(order, of: uprightSize) else {
                sizes.append((index, uprightSize.fitting(longestSide: Int(order.imageSide))))
                continue
            }
            let image = try clock.measure(.scale, part.image(of: frame, orientation))
            reports[index] = try clock.measure(
                .encode, StillOutput.write(image, from: job.format, order: order, output: outputs[index]))
        }
        sizes.sort { $0.size.longestSide > $1.size.longestSide }
        guard let largest = sizes.first else { return }
        var image = try clock.measure(
            .scale, ImageScaling.scale(frame, to: largest.size.turned(orientation)).turned(orientation))
        for still in sizes {
            if still.size != image.size { image = try clock.measure(.scale, image.reduced(to: still.size)) }
            let (order, output) = (job.specs[still.index], outputs[still.index])
            reports[still.index] = try clock.measure(
                .encode, StillOutput.write(image, from: job.format, order: order, output: output))
        }
        guard let poster = indices.first(where: { job.specs[$0].role == .poster }) else { return }
        reports[poster]?.preview = try clock.measure(.scale, PreviewMaking.preview(of: image))
    }
}
