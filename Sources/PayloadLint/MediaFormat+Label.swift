import NotificationModel

extension MediaFormat {
    /// The name of the format in a sentence.
    var label: String {
        switch self {
        case .jpeg, .png, .gif, .heic, .avif, .bmp, .tiff, .svg, .mp4, .avi, .m4a, .mp3, .aac, .wav, .aiff, .flac, .amr,
            .caf, .au, .pdf, .html, .xml, .zip, .psd:
            rawValue.uppercased()
        case .webp: "WebP"
        case .ico: "icon"
        case .jpeg2000: "JPEG 2000"
        case .jpegXL: "JPEG XL"
        case .cameraRaw: "camera raw"
        case .quickTime: "QuickTime"
        case .webm: "WebM"
        case .matroska: "Matroska"
        case .mpegPS: "MPEG"
        case .mpegTS: "MPEG transport stream"
        case .asf: "Windows Media"
        case .flv: "Flash video"
        case .ogg: "Ogg"
        case .w64: "Wave64"
        case .gzip: "gzip"
        case .playlist: "playlist"
        }
    }
}
