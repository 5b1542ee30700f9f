import Base
import NotificationModel

/// The media items of a 2mee message that needs a video, after their bytes are known.
///
/// A URL often has no file extension, or a wrong one. If the chosen file of the message is an image, the first video
/// among the masks becomes the message's file. The image becomes a mask. If no mask is a video, the message's file
/// fails.
///
/// The file also fails if only a still of the video was made. A face is a video that is played, and its mask fits the
/// video's frames. The message therefore needs a video in every profile.
struct MessageFile {
    private(set) var media: [PlannedMedia]
    private(set) var endings: [MediaResult]

    init(_ media: [PlannedMedia], _ endings: [MediaResult]) {
        self.media = media
        self.endings = endings
        guard let file = media.firstIndex(where: { $0.reference.isRequired && $0.reference.mustBeVideo }),
            let attachment = endings[file].attachment
        else { return }
        guard attachment.isOfImage else {
            refuseStill(at: file)
            return
        }
        let video = media.indices.first { index in
            guard media[index].reference.role == .mask, let other = endings[index].attachment else { return false }
            return !other.isOfImage
        }
        if let video {
            give(.mask, to: file)
            give(.attachment, to: video)
            self.media[file].reference.isRequired = false
            self.media[video].reference.isRequired = true
            refuseStill(at: video)
        } else {
            self.endings[file] = .failed(
                MediaFailure(.unsupportedMedia, "the message is a video, but the file is \(attachment.sourceType)"))
        }
    }

    /// Replaces the result of the message's file by a failure if only a still of its video was made.
    private mutating func refuseStill(at file: Int) {
        guard let attachment = endings[file].attachment, attachment.asset.info.type.kind == .image else { return }
        let reduction = attachment.reduction ?? MediaReduction(.still, "the budget left time only for a still")
        endings[file] = .failed(MediaFailure(reduction.reason, "the message is a video, but \(reduction.detail)"))
    }

    private mutating func give(_ role: MediaRole, to index: Int) {
        media[index].reference.role = role
        guard var attachment = endings[index].attachment else { return }
        attachment.role = role
        endings[index] = .prepared(attachment)
    }
}

extension NotificationAttachment {
    fileprivate var isOfImage: Bool { sourceType.hasPrefix("image/") }
}
