import Base
import Glibc
import LinuxIO
import MediaHeaders
import NotificationModel
import TranscodeProtocol

/// The check of a worker's reports against its files. Serves the threat model: false replies of a worker.
struct RenditionCheck {
    private static let still = MediaReduction(.still, "the budget left time only for a still")

    let source: TranscodeSource
    let message: TranscodeJob
    let outputs: [MediaFile]

    /// Checks a reply and returns its renditions.
    ///
    /// - Throws: The worker's own refusal, or `worker-crashed` if the report does not agree with the files.
    func renditions(of reply: TranscodeReply) throws(MediaFailure) -> RenditionSet {
        let reports: [RenditionReport]
        do throws(TranscodeFailure) { reports = try reply.result.get() } catch { throw MediaFailure(error) }
        let (made, ordered) = (reports.map(\.role), message.specs.map(\.role))
        let isReduced = reports.contains { $0.role == .attachment && $0.reduction != nil }
        let isSound = reports.first?.format.kind == .sound && source.format.kind != .image
        // A worker without time omits the thumbnail, which is the last output. A sound's only image is its cover.
        let isWhole =
            made.count == ordered.count || isReduced && made + [.thumbnail] == ordered
            || isSound && ordered.starts(with: made)
        guard isWhole, outputs.count == ordered.count else { throw Self.disagreement("of number") }
        var set = RenditionSet(sourceType: source.mimeType, renditions: [])
        for ((report, spec), file) in zip(zip(reports, message.specs), outputs) {
            set.renditions.append(try Self.rendition(report, spec, file))
        }
        let damage = try damage(in: reports)
        if message.isPart {
            // The missing part of an incomplete file is no damage.
            set.reduction = MediaReduction(ofPart: damage ?? "a still")
            return set
        }
        set.damage = damage.map { "damaged: \($0)" }
        set.reduction = reports.first { $0.role == .attachment }.flatMap(Self.reduction)
        set.source = reports.first.flatMap { report in report.source.map { SourceFacts($0, shownAs: report) } }
        return set
    }

    /// Returns the still images of an interim reply, whose poster becomes the attachment. `failure` is the reason why
    /// the video is not shown. Throws `worker-crashed` if the report does not agree with the files.
    func stills(of reply: TranscodeReply, insteadOf failure: MediaFailure) throws(MediaFailure) -> RenditionSet {
        let stills = zip(message.specs, outputs).filter { $0.0.role != .attachment }
        guard case .success(let reports) = reply.result, reports.count == stills.count else {
            throw Self.disagreement("of number")
        }
        var set = RenditionSet(sourceType: source.mimeType, renditions: [])
        for (report, (spec, file)) in zip(reports, stills) {
            set.renditions.append(try Self.rendition(report, spec, file))
        }
        guard var shown = set.renditions.first(where: { $0.info.kind == .poster }) else {
            throw Self.disagreement("of role")
        }
        shown.info.kind = .attachment
        set.renditions.insert(shown, at: 0)
        let detail = "there is only a still of the video: \(failure.detail)"
        set.reduction =
            failure.reason == .budgetExceeded ? Self.still : MediaReduction(.still, detail, because: failure.reason)
        return set
    }

    private static func rendition(
        _ report: RenditionReport, _ spec: RenditionSpec, _ file: MediaFile
    ) throws(MediaFailure) -> Rendition {
        try seal(file)
        try check(report, spec, file)
        var info = RenditionInfo(report)
        // Images with the same alpha can have different colors, so a preview does not describe the mask.
        let preview = try preview(report)
        info.preview = spec.isMask ? nil : preview
        return Rendition(info: info, file: file)
    }

    /// Returns the part of a damaged source that is shown; `nil` if the source is intact.
    private func damage(in reports: [RenditionReport]) throws(MediaFailure) -> String? {
        guard let damage = reports.compactMap(\.damage).first else { return nil }
        guard message.showsDamage else { throw Self.disagreement("of damage") }
        return switch (damage.frames, damage.rows) {
        case (1, _): "the first frame"
        case (let frames?, _): "the first \(frames) frames"
        case (nil, 100): "all rows are shown"
        case (nil, let rows): "\(rows) % of the rows"
        }
    }

    private static func reduction(of report: RenditionReport) -> MediaReduction? {
        let side = "a longest side of \(max(report.width, report.height)) pixels"
        return switch report.reduction {
        case .smaller: MediaReduction(.smaller, "the budget left time for \(side)")
        case .thumbnail: MediaReduction(.thumbnail, "the budget left time only for the thumbnail, with \(side)")
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
        _ report: RenditionReport, _ spec: RenditionSpec, _ file: MediaFile
    ) throws(MediaFailure) {
        let format = report.format
        let (sides, maxBytes): (ClosedRange<UInt32>, UInt64) =
            switch format.kind {
            case .image: (1...spec.imageSide, spec.imageBytes)
            case .video: (1...max(spec.videoSide, spec.copiedVideoSide), spec.videoBytes)
            case .sound: (0...0, spec.soundBytes)
            case nil: throw disagreement("of type")
            }
        let isImage = format.kind == .image
        guard format.isShownByPhones || spec.takesWebAnimations else { throw disagreement("of type") }
        guard report.role == spec.role, isImage || spec.role == .attachment else { throw disagreement("of role") }
        guard sides.contains(report.width), sides.contains(report.height), report.frames >= 1 else {
            throw disagreement("of size")
        }
        let isCut = report.sourceFrames.map { all in report.keptFrames.map { $0 >= 1 && $0 < all } ?? false }
        guard isCut ?? (report.keptFrames == nil) else { throw disagreement("of frames") }
        let (size, prefix): (Int, [UInt8])
        do {
            size = try FileSystem.size(of: file)
            prefix = try FileSystem.bytes(of: file, at: 0, count: min(size, headerBytes))
        } catch {
            throw MediaFailure(.storageFailed, "a rendition cannot be read: \(error)")
        }
        guard size > 0, report.bytes == UInt64(size), report.bytes <= maxBytes else { throw disagreement("of length") }
        guard MediaSignature.of(prefix.span) == format else { throw disagreement("of type") }
        let stated = PixelSize(width: Int(report.width), height: Int(report.height))
        guard !isImage || PixelSize(statedBy: prefix, as: format) == stated else { throw disagreement("of size") }
    }

    private static func preview(_ report: RenditionReport) throws(MediaFailure) -> ImagePreview? {
        let preview = report.blurhash.flatMap { ImagePreview(blurhash: $0, dominantColor: report.dominantColor) }
        let isStated = report.blurhash != nil || report.dominantColor != nil
        guard isStated == (preview != nil) else { throw disagreement("of preview") }
        return preview
    }

    /// The number of bytes that are read for the size of an image. A JPEG's color profile seldom has more than 512 KiB.
    private static let headerBytes = 1 << 20

    private static func disagreement(_ what: String) -> MediaFailure {
        MediaFailure(.workerCrashed, "the report of the worker does not agree with its files: \(what)")
    }
}

extension RenditionInfo {
    fileprivate init(_ report: RenditionReport) {
        self.init(
            kind: report.role, type: report.format, byteCount: Int(clamping: report.bytes),
            width: Int(report.width), height: Int(report.height), frames: Int(report.frames),
            keptFrames: report.keptFrames.map { Int($0) }, sourceFrames: report.sourceFrames.map { Int($0) },
            duration: report.durationMilliseconds.map { .milliseconds(Int64(clamping: $0)) }, streams: report.streams)
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
