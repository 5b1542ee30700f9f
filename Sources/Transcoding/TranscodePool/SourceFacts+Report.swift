import Base
import NotificationModel
import TranscodeProtocol

extension SourceFacts {
    init(_ report: SourceReport, shownAs rendition: RenditionReport) {
        self.init(
            duration: report.durationMilliseconds.map { .milliseconds(Int64(clamping: $0)) },
            frames: report.frames.map { Int($0) }, streams: report.streams,
            omission: Self.omission(of: report, in: rendition))
    }

    private static func omission(of source: SourceReport, in rendition: RenditionReport) -> String? {
        // A still image has neither sound nor duration, and its verdict states why the image replaces the video.
        guard rendition.reduction == nil else { return nil }
        let length = source.isCut ? length(of: source, in: rendition) : nil
        let sound = source.soundOmission.map { sentence($0, codec: source.streams.audioCodec) }
        let parts = [length, sound].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    private static func length(of source: SourceReport, in rendition: RenditionReport) -> String {
        func seconds(_ milliseconds: UInt64) -> String { "\(Double(milliseconds / 100) / 10) s" }
        let all = source.durationMilliseconds.map { " of \(seconds($0))" } ?? ""
        return "cut to the first \(seconds(rendition.durationMilliseconds ?? 0))\(all)"
    }

    private static func sentence(_ omission: SoundOmission, codec: String?) -> String {
        switch omission {
        case .unsupported: "shown without its sound: \(codec ?? "its codec") is not decoded"
        case .unreadable: "shown without its sound: the sound cannot be decoded"
        case .cut: "shown without the end of its sound: the sound cannot be decoded any further"
        }
    }
}
