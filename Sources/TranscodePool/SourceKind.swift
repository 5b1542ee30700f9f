import LinuxIO
import MediaHeaders
import NotificationModel
import TranscodeProtocol

/// The format of a fetched media item, by its first bytes.
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

    /// - Throws: `corrupt-media` for an empty file, `unsupported-media` for what no rendition is made of.
    static func inspect(_ media: FetchedMedia) throws(MediaFailure) -> SourceKind {
        let prefix: [UInt8]
        do {
            prefix = try FileSystem.bytes(of: media.file, at: 0, count: MediaSignature.wantedBytes)
        } catch {
            throw MediaFailure(.storageFailed, "the download cannot be read: \(error)")
        }
        guard !prefix.isEmpty else { throw MediaFailure(.corruptMedia, "the file is empty") }
        let declared = media.declaredType.map { ", declared as \($0.prefix(100))" } ?? ""
        guard let signature = MediaSignature.of(prefix.span) else {
            throw MediaFailure(.unsupportedMedia, "the bytes have no known media type\(declared)")
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
        case .mp3: return SourceKind(.mp3, signature)
        case .aac: return SourceKind(.aac, signature)
        case .wav: return SourceKind(.wav, signature)
        case .aiff: return SourceKind(.aiff, signature)
        case .ogg where MediaSignature.hasOggVideo(prefix.span): return SourceKind(.ogg, mimeType: "video/ogg")
        case .ogg: return SourceKind(.ogg, signature)
        case .flac: return SourceKind(.flac, signature)
        default:
            throw MediaFailure(
                .unsupportedMedia, "the bytes are \(signature.label)\(declared)", sourceType: signature.mimeType)
        }
    }

    /// Whether the first bytes of such a file can show a still.
    func showsParts(_ form: MediaForm) -> Bool {
        format.kind == .video || form.damaged == .show && [.jpeg, .png, .gif].contains(format)
    }
}
