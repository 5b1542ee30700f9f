import LinuxIO
import MediaHeaders
import MediaTypes
import NotificationModel

/// The format of a fetched media item, found from its first bytes.
struct SourceKind {
    let format: MediaFormat
    let mimeType: String

    private init(_ format: MediaFormat, mimeType: String? = nil) {
        self.format = format
        self.mimeType = mimeType ?? format.mimeType
    }

    /// Finds the format of a media item.
    ///
    /// - Throws: `corrupt-media` for an empty file, and `unsupported-media` for a format that is not transcoded.
    static func inspect(_ media: FetchedMedia) throws(MediaFailure) -> SourceKind {
        let prefix: [UInt8]
        do {
            prefix = try FileSystem.bytes(of: media.file, at: 0, count: MediaSignature.wantedBytes)
        } catch {
            throw MediaFailure(.storageFailed, "the download cannot be read: \(error)")
        }
        guard !prefix.isEmpty else { throw MediaFailure(.corruptMedia, "the file is empty") }
        guard let signature = MediaSignature.of(prefix.span) ?? signature(behindZerosOf: media) else {
            throw refusal(prefix, media)
        }
        guard signature.isDecoded else { throw refusal(prefix, media) }
        return switch signature {
        case .mp3: taggedSound(media, prefix)
        case .ogg where MediaSignature.hasOggVideo(prefix.span): SourceKind(.ogg, mimeType: "video/ogg")
        default: SourceKind(signature)
        }
    }

    /// Returns the format of a sound that begins with ID3 tags. The format is not always MP3, because some programs
    /// also add these tags to FLAC and AAC.
    private static func taggedSound(_ media: FetchedMedia, _ prefix: [UInt8]) -> SourceKind {
        var offset = 0
        for _ in 0..<mostTags {
            let head = offset == 0 ? prefix : (try? FileSystem.bytes(of: media.file, at: offset, count: 16)) ?? []
            guard let length = ID3Tag.byteCount(of: head.span) else {
                let sound = MediaSignature.of(head.span)
                return SourceKind(sound == .flac ? .flac : sound == .aac ? .aac : .mp3)
            }
            offset += length
        }
        return SourceKind(.mp3)
    }

    private static let mostTags = 8

    /// Returns the signature of an MP3 after leading zeros, or `nil` for any other file. Some recorders leave zeros
    /// before an MP3.
    private static func signature(behindZerosOf media: FetchedMedia) -> MediaFormat? {
        let count = MediaSignature.mostLeadingZeros
        guard let bytes = try? FileSystem.bytes(of: media.file, at: 0, count: count + MediaSignature.wantedBytes),
            let start = bytes.firstIndex(where: { $0 != 0 }), start > 0
        else { return nil }
        return MediaSignature.of(bytes.span.extracting(start..<bytes.count)) == .mp3 ? .mp3 : nil
    }

    private static func refusal(_ prefix: [UInt8], _ media: FetchedMedia) -> MediaFailure {
        MediaFailure(
            .unsupportedMedia, MediaSignature.refusal(of: prefix.span, declaredType: media.declaredType),
            sourceType: MediaSignature.of(prefix.span)?.reportedMIMEType)
    }

    /// Returns whether a still image can be made from the first bytes of a file of this format.
    func showsParts(_ form: MediaForm) -> Bool {
        format.container.kind == .video || form.damaged == .show && [.jpeg, .png, .gif].contains(format)
    }
}
