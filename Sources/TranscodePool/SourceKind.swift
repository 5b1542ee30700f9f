import LinuxIO
import MediaHeaders
import NotificationModel
import TranscodeProtocol

/// The format of a fetched media item, found from its first bytes.
struct SourceKind {
    let format: SourceFormat
    let mimeType: String

    private init(_ format: SourceFormat, _ signature: MediaSignature) {
        self.init(format, mimeType: signature.mimeType ?? "")
    }

    private init(_ format: SourceFormat, mimeType: String) {
        self.format = format
        self.mimeType = mimeType
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
        switch signature {
        case .jpeg: return SourceKind(.jpeg, signature)
        case .png: return SourceKind(.png, signature)
        case .gif: return SourceKind(.gif, signature)
        case .webp: return SourceKind(.webp, signature)
        case .heic, .avif: return SourceKind(.heif, signature)
        case .bmp: return SourceKind(.bmp, signature)
        case .tiff: return SourceKind(.tiff, signature)
        case .ico: return SourceKind(.ico, signature)
        case .mp4, .quickTime: return SourceKind(.mp4, signature)
        case .webm, .matroska: return SourceKind(.matroska, signature)
        case .avi: return SourceKind(.avi, signature)
        case .mpegPS: return SourceKind(.mpegPS, signature)
        case .mpegTS: return SourceKind(.mpegTS, signature)
        case .m4a: return SourceKind(.mp4, signature)
        case .mp3: return taggedSound(media, prefix)
        case .aac: return SourceKind(.aac, signature)
        case .wav: return SourceKind(.wav, signature)
        case .aiff: return SourceKind(.aiff, signature)
        case .ogg where MediaSignature.hasOggVideo(prefix.span): return SourceKind(.ogg, mimeType: "video/ogg")
        case .ogg: return SourceKind(.ogg, signature)
        case .flac: return SourceKind(.flac, signature)
        case .amr: return SourceKind(.amr, signature)
        case .caf: return SourceKind(.caf, signature)
        case .au: return SourceKind(.au, signature)
        case .w64: return SourceKind(.w64, signature)
        case .asf: return SourceKind(.asf, signature)
        case .flv: return SourceKind(.flv, signature)
        default: throw refusal(prefix, media)
        }
    }

    /// Returns the format of a sound that begins with ID3 tags. It is not always MP3, because some programs tag FLAC
    /// and AAC too.
    private static func taggedSound(_ media: FetchedMedia, _ prefix: [UInt8]) -> SourceKind {
        var offset = 0
        for _ in 0..<mostTags {
            let head = offset == 0 ? prefix : (try? FileSystem.bytes(of: media.file, at: offset, count: 16)) ?? []
            guard let length = ID3Tag.byteCount(of: head.span) else {
                let sound = MediaSignature.of(head.span)
                return sound == .flac ? SourceKind(.flac, .flac) : sound == .aac ? SourceKind(.aac, .aac) : .mp3
            }
            offset += length
        }
        return .mp3
    }

    private static let mp3 = SourceKind(.mp3, .mp3)
    private static let mostTags = 8

    /// Returns the signature of an MP3 after leading zeros, or `nil` for any other file. Some recorders leave zeros
    /// before an MP3.
    private static func signature(behindZerosOf media: FetchedMedia) -> MediaSignature? {
        let count = MediaSignature.mostLeadingZeros
        guard let bytes = try? FileSystem.bytes(of: media.file, at: 0, count: count + MediaSignature.wantedBytes),
            let start = bytes.firstIndex(where: { $0 != 0 }), start > 0
        else { return nil }
        return MediaSignature.of(bytes.span.extracting(start..<bytes.count)) == .mp3 ? .mp3 : nil
    }

    private static func refusal(_ prefix: [UInt8], _ media: FetchedMedia) -> MediaFailure {
        MediaFailure(
            .unsupportedMedia, MediaSignature.refusal(of: prefix.span, declaredType: media.declaredType),
            sourceType: MediaSignature.of(prefix.span)?.mimeType)
    }

    /// Returns whether a still image can be made from the first bytes of a file of this format.
    func showsParts(_ form: MediaForm) -> Bool {
        format.kind == .video || form.damaged == .show && [.jpeg, .png, .gif].contains(format)
    }
}
