import Glibc
import LinuxIO
import MediaHeaders
import MediaTypes
import NotificationModel
import TranscodeProtocol

/// The check of a worker's report against its files.
enum RenditionCheck {
    /// Checks a reply and returns its renditions.
    ///
    /// - Throws: The worker's own refusal, or `worker-crashed` if the report does not agree with the files.
    static func renditions(
        of reply: TranscodeReply, to job: TranscodeJob, outputs: [MediaFile], source: SourceKind
    ) throws(MediaFailure) -> RenditionSet {
        let specs = job.specs
        let reports: [RenditionReport]
        switch reply.result {
        case .success(let made): reports = made
        case .failure(let failure): throw MediaFailure(failure)
        }
        let (made, ordered) = (reports.map(\.role), specs.map(\.role))
        let isReduced = reports.contains { $0.role == .attachment && $0.reduction != nil }
        let isSound = reports.first?.format.kind == .sound && source.format.kind != .image
        // A worker without enough time omits the thumbnail, which is the last output. The only image of a sound is its
        // cover.
        let isWhole =
            made.count == ordered.count || isReduced && made + [.thumbnail] == ordered
            || isSound && ordered.starts(with: made)
        guard isWhole, outputs.count == specs.count else { throw disagreement("of number") }
        var renditions: [Rendition] = []
        for ((report, order), file) in zip(zip(reports, specs), outputs) {
            renditions.append(try rendition(report, order, file))
        }
        let damage = try damage(in: reports, isExpected: job.showsDamage)
        if job.isPart { return partSet(source, renditions, damage) }
        return RenditionSet(
            sourceType: source.mimeType, renditions: renditions, reduction: reduction(in: reports), damage: damage,
            source: reports.first.flatMap { report in report.source.map { SourceFacts($0, shownAs: report) } })
    }

    /// Returns the renditions of an incomplete file.
    ///
    /// - Parameter damage: The description of the missing part. The missing part does not count as damage, because the
    ///   file is known to be incomplete.
    private static func partSet(_ source: SourceKind, _ renditions: [Rendition], _ damage: String?) -> RenditionSet {
        let shown = damage.map { $0.replacing("damaged: ", with: "") } ?? "a still"
        return RenditionSet(
            sourceType: source.mimeType, renditions: renditions, reduction: MediaReduction(ofPart: shown))
    }

    /// Returns the still images of an interim reply. The poster becomes the attachment.
    ///
    /// - Parameter failure: The reason why the video is not shown.
    /// - Throws: `worker-crashed` if the report does not agree with the files.
    static func stills(
        of reply: TranscodeReply, to job: TranscodeJob, outputs: [MediaFile], source: SourceKind,
        insteadOf failure: MediaFailure
    ) throws(MediaFailure) -> RenditionSet {
        let stills = zip(job.specs, outputs).filter { $0.0.role != .attachment }
        guard case .success(let reports) = reply.result, reports.count == stills.count else {
            throw disagreement("of number")
        }
        var renditions: [Rendition] = []
        for (report, (order, file)) in zip(reports, stills) { renditions.append(try rendition(report, order, file)) }
        guard var shown = renditions.first(where: { $0.info.kind == .poster }) else { throw disagreement("of role") }
        shown.info.kind = .attachment
        let reduction =
            failure.reason == .budgetExceeded
            ? still
            : MediaReduction(
                .still, "there is only a still of the video: \(failure.detail)", because: failure.reason)
        return RenditionSet(sourceType: source.mimeType, renditions: [shown] + renditions, reduction: reduction)
    }

    private static func rendition(
        _ report: RenditionReport, _ order: RenditionSpec, _ file: MediaFile
    ) throws(MediaFailure) -> Rendition {
        try seal(file)
        try check(report, order, file)
        var info = RenditionInfo(report)
        // Images with the same alpha can have different colors, so a preview does not describe the mask. Each file has
        // one preview.
        let preview = try preview(report)
        info.preview = order.isMask ? nil : preview
        return Rendition(info: info, file: file)
    }

    private static func damage(in reports: [RenditionReport], isExpected: Bool) throws(MediaFailure) -> String? {
        guard let damage = reports.compactMap(\.damage).first else { return nil }
        guard isExpected else { throw disagreement("of damage") }
        return switch (damage.frames, damage.rows) {
        case (1, _): "damaged: the first frame"
        case (let frames?, _): "damaged: the first \(frames) frames"
        case (nil, 100): "damaged: all rows are shown"
        case (nil, let rows): "damaged: \(rows) % of the rows"
        }
    }

    private static let still = MediaReduction(.still, "the budget left time only for a still")

    /// Returns the reduction of the attachment, or `nil` if it is not reduced.
    private static func reduction(in reports: [RenditionReport]) -> MediaReduction? {
        guard let report = reports.first(where: { $0.role == .attachment }) else { return nil }
        return switch report.reduction {
        case .smaller:
            MediaReduction(
                .smaller, "the budget left time for a longest side of \(max(report.width, report.height)) pixels")
        case .thumbnail:
            MediaReduction(
                .thumbnail,
                "the budget left time only for the thumbnail, with a longest side of \(max(report.width, report.height)) pixels"
            )
        case .still: still
        case nil: nil
        }
    }

    /// Seals a file against writes, so that the checked bytes are the stored ones. A media file may have taken control
    /// of the worker, which may still have its outputs open.
    private static func seal(_ file: MediaFile) throws(MediaFailure) {
        do throws(SystemError) {
            try AnonymousFile.seal(file)
        } catch {
            // The files of videos are in a directory, and such files cannot be sealed.
            guard error.errno == EINVAL else { throw disagreement("of use") }
        }
    }

    private static func check(
        _ report: RenditionReport, _ order: RenditionSpec, _ file: MediaFile
    ) throws(MediaFailure) {
        let format = report.format
        let (sides, mostBytes): (ClosedRange<UInt32>, UInt64) =
            switch format.kind {
            case .image: (1...order.imageSide, order.imageBytes)
            case .video: (1...max(order.videoSide, order.copiedVideoSide), order.videoBytes)
            case .sound: (0...0, order.soundBytes)
            case nil: throw disagreement("of type")
            }
        let isImage = format.kind == .image
        guard format.isShownByPhones || order.takesWebAnimations else { throw disagreement("of type") }
        guard report.role == order.role, isImage || order.role == .attachment else { throw disagreement("of role") }
        guard sides.contains(report.width), sides.contains(report.height), report.frames >= 1 else {
            throw disagreement("of size")
        }
        let isCut = report.sourceFrames.map { all in report.keptFrames.map { $0 >= 1 && $0 < all } ?? false }
        guard isCut ?? (report.keptFrames == nil) else { throw disagreement("of frames") }
        let size: Int
        let prefix: [UInt8]
        do {
            size = try FileSystem.size(of: file)
            prefix = try FileSystem.bytes(of: file, at: 0, count: min(size, headerBytes))
        } catch {
            throw MediaFailure(.storageFailed, "a rendition cannot be read: \(error)")
        }
        guard size > 0, report.bytes == UInt64(size), report.bytes <= mostBytes
        else { throw disagreement("of length") }
        guard MediaSignature.of(prefix.span) == format else { throw disagreement("of type") }
        guard !isImage || imageSize(prefix, format) == PixelSize(width: Int(report.width), height: Int(report.height))
        else {
            throw disagreement("of size")
        }
    }

    private static func preview(_ report: RenditionReport) throws(MediaFailure) -> ImagePreview? {
        guard let blurhash = report.blurhash else {
            guard report.dominantColor == nil else { throw disagreement("of preview") }
            return nil
        }
        guard let preview = ImagePreview(blurhash: blurhash, dominantColor: report.dominantColor) else {
            throw disagreement("of preview")
        }
        return preview
    }

    /// The number of bytes that are read for the size of an image. The size in a JPEG comes after its color profile,
    /// which seldom has more than 512 KiB.
    private static let headerBytes = 1 << 20

    /// Returns the size that the header states, or `nil` if the header cannot be read.
    private static func imageSize(_ prefix: [UInt8], _ format: MediaFormat) -> PixelSize? {
        func number(at offset: Int) -> Int { Int(prefix[offset]) | Int(prefix[offset + 1]) << 8 }
        return switch format {
        case .jpeg: (try? JPEGHeader(prefix.span)).map { PixelSize(width: $0.width, height: $0.height) }
        case .png: (try? PNGHeader(prefix.span)).map { PixelSize(width: $0.width, height: $0.height) }
        // The parser of GIF headers needs the whole file, but the screen's size is in the first bytes.
        case .gif where prefix.count >= 10: PixelSize(width: number(at: 6), height: number(at: 8))
        // The canvas of a WebP is in its first chunk, and the size of an AVIF is in its first boxes.
        case .webp where prefix.count >= 30:
            PixelSize(
                width: 1 + (number(at: 24) | Int(prefix[26]) << 16),
                height: 1 + (number(at: 27) | Int(prefix[29]) << 16))
        case .avif: (try? HEIFHeader(prefix.span)).map { PixelSize(width: $0.width, height: $0.height) }
        default: nil
        }
    }

    private static func disagreement(_ what: String) -> MediaFailure {
        MediaFailure(.workerCrashed, "the report of the worker does not agree with its files: \(what)")
    }
}

extension RenditionInfo {
    fileprivate init(_ report: RenditionReport) {
        self.init(
            kind: report.role, type: report.format,
            byteCount: Int(clamping: report.bytes),
            width: Int(report.width), height: Int(report.height), frames: Int(report.frames),
            keptFrames: report.keptFrames.map { Int($0) }, sourceFrames: report.sourceFrames.map { Int($0) },
            duration: report.durationMilliseconds.map { .milliseconds(Int64(clamping: $0)) },
            streams: report.streams)
    }
}

extension MediaFailure {
    fileprivate init(_ failure: TranscodeFailure) {
        let reason: DegradationReason =
            switch failure.code {
            case .unsupported: .unsupportedMedia
            case .corrupt: .corruptMedia
            case .tooManyPixels: .tooManyPixels
            case .tooLarge: .tooLarge
            case .storage: .storageFailed
            case .internalFault: .internal
            }
        self.init(reason, failure.detail)
    }
}
