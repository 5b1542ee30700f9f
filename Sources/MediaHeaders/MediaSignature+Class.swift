extension MediaSignature {
    /// The class of the media item. `nil` for other files, and for drawings and playlists, because they are not
    /// decoded.
    package var mediaClass: MediaClass? {
        switch self {
        case .jpeg, .png, .gif, .webp, .heic, .avif, .bmp, .tiff, .ico, .jpeg2000, .jpegXL, .psd, .cameraRaw: .picture
        case .mp4, .quickTime, .webm, .matroska, .avi, .mpegPS, .mpegTS, .asf, .flv: .video
        case .m4a, .mp3, .aac, .wav, .aiff, .ogg, .flac, .amr, .caf, .au, .w64: .sound
        case .svg, .pdf, .html, .xml, .zip, .gzip, .playlist: nil
        }
    }

    /// The name of the format as a part of a sentence: "JPEG", "an HTML page".
    package var label: String {
        switch self {
        case .jpeg: "JPEG"
        case .png: "PNG"
        case .gif: "GIF"
        case .webp: "WebP"
        case .heic: "HEIC"
        case .avif: "AVIF"
        case .bmp: "BMP"
        case .tiff: "TIFF"
        case .ico: "an icon file"
        case .svg: "an SVG drawing"
        case .jpeg2000: "JPEG 2000"
        case .jpegXL: "JPEG XL"
        case .psd: "a Photoshop document"
        case .cameraRaw: "a camera's raw file"
        case .mp4: "MP4"
        case .quickTime: "QuickTime"
        case .webm: "WebM"
        case .matroska: "Matroska"
        case .avi: "AVI"
        case .mpegPS: "an MPEG program stream"
        case .mpegTS: "an MPEG transport stream"
        case .asf: "Windows Media (ASF)"
        case .flv: "Flash video"
        case .m4a: "M4A"
        case .mp3: "MP3"
        case .aac: "AAC"
        case .wav: "WAV"
        case .aiff: "AIFF"
        case .ogg: "Ogg"
        case .flac: "FLAC"
        case .amr: "AMR"
        case .caf: "a Core Audio file (CAF)"
        case .au: "a sound in Sun's format (AU)"
        case .w64: "Wave64"
        case .pdf: "a PDF document"
        case .html: "an HTML page"
        case .xml: "an XML document"
        case .zip: "a ZIP archive"
        case .gzip: "a gzip file"
        case .playlist: "a playlist"
        }
    }
}

/// The class of a media item, as a notification presents the item.
package enum MediaClass: String, Sendable, Equatable, CaseIterable {
    case picture
    case video
    case sound
}
