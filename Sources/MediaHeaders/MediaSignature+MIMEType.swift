extension MediaSignature {
    /// The media type in IANA's registry, or the common type if the registry has none. `nil` for ZIP archives, gzip
    /// files and playlists.
    package var mimeType: String? {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .gif: "image/gif"
        case .webp: "image/webp"
        case .heic: "image/heic"
        case .avif: "image/avif"
        case .bmp: "image/bmp"
        case .tiff: "image/tiff"
        case .ico: "image/x-icon"
        case .svg: "image/svg+xml"
        case .jpeg2000: "image/jp2"
        case .jpegXL: "image/jxl"
        case .psd: "image/vnd.adobe.photoshop"
        case .cameraRaw: "image/x-dcraw"
        case .mp4: "video/mp4"
        case .quickTime: "video/quicktime"
        case .webm: "video/webm"
        case .matroska: "video/x-matroska"
        case .avi: "video/x-msvideo"
        case .mpegPS: "video/mpeg"
        case .mpegTS: "video/mp2t"
        case .asf: "video/x-ms-asf"
        case .flv: "video/x-flv"
        case .m4a: "audio/mp4"
        case .mp3: "audio/mpeg"
        case .aac: "audio/aac"
        case .wav: "audio/wav"
        case .aiff: "audio/aiff"
        case .ogg: "audio/ogg"
        case .flac: "audio/flac"
        case .amr: "audio/amr"
        case .caf: "audio/x-caf"
        case .au: "audio/basic"
        case .w64: "audio/x-w64"
        case .pdf: "application/pdf"
        case .html: "text/html"
        case .xml: "application/xml"
        case .zip, .gzip, .playlist: nil
        }
    }
}
