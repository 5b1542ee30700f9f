/// A file format of a payload or an origin: its extensions, its MIME types, and whether a phone shows it.
///
/// The raw values are those of the signatures that identify files by their bytes. The names are those of IANA's
/// registry of media types, and those that common servers and vendors use in addition.
package enum MediaFormat: String, Sendable, Equatable, CaseIterable {
    case jpeg, png, gif, webp, heic, avif, bmp, tiff, ico, svg
    case jpeg2000, jpegXL, psd, cameraRaw
    case mp4, quickTime, webm, matroska, avi, mpegPS, mpegTS, asf, flv
    case m4a, mp3, aac, wav, aiff, ogg, flac, amr, caf, au, w64
    case pdf, html, xml, zip, gzip, playlist

    package enum Kind: String, Sendable, Equatable {
        case image
        case video
        case sound

        /// The default limit of a source's size, in bytes.
        package var mostSourceBytes: Int {
            switch self {
            case .image: 40_000_000
            case .sound: 20_000_000
            case .video: 50_000_000
            }
        }
    }

    /// The kind of the format; `nil` if the format is not a media format.
    package var kind: Kind? {
        switch self {
        case .jpeg, .png, .gif, .webp, .heic, .avif, .bmp, .tiff, .ico, .svg, .jpeg2000, .jpegXL, .psd, .cameraRaw:
            .image
        case .mp4, .quickTime, .webm, .matroska, .avi, .mpegPS, .mpegTS, .asf, .flv: .video
        case .m4a, .mp3, .aac, .wav, .aiff, .ogg, .flac, .amr, .caf, .au, .w64: .sound
        case .pdf, .html, .xml, .zip, .gzip, .playlist: nil
        }
    }

    /// Whether `UNNotificationAttachment` supports the format (Apple, "UNNotificationAttachment", supported file
    /// types).
    package var isShownByPhones: Bool {
        switch self {
        case .jpeg, .png, .gif, .mp4, .avi, .mpegPS, .m4a, .mp3, .wav, .aiff: true
        default: false
        }
    }

    /// The file extensions, the usual one first.
    private var extensions: [String] {
        switch self {
        case .jpeg: ["jpg", "jpeg", "jpe"]
        case .heic: ["heic", "heif"]
        case .tiff: ["tiff", "tif"]
        case .ico: ["ico", "cur"]
        case .jpeg2000: ["jp2", "j2k", "jpf", "jpx", "j2c"]
        case .jpegXL: ["jxl"]
        case .psd: ["psd", "psb"]
        case .cameraRaw: ["dng", "cr2", "cr3", "crw", "nef", "arw", "orf", "raf", "rw2", "pef", "x3f"]
        case .mp4: ["mp4", "m4v", "mpg4", "mpeg4"]
        case .quickTime: ["mov", "qt"]
        case .matroska: ["mkv"]
        case .mpegPS: ["mpg", "mpeg", "mpeg2"]
        case .mpegTS: ["ts", "m2ts"]
        case .asf: ["asf", "wma", "wmv"]
        case .m4a: ["m4a"]
        case .wav: ["wav", "wave", "rf64"]
        case .aiff: ["aif", "aiff", "aifc"]
        case .ogg: ["ogg", "oga", "opus"]
        case .amr: ["amr", "awb"]
        case .au: ["au", "snd"]
        case .html: ["html", "htm"]
        case .gzip: ["gz"]
        case .playlist: ["m3u8", "m3u", "pls", "mpd"]
        default: [rawValue]
        }
    }

    /// The usual MIME type, which is also that of the signature.
    package var mimeType: String { mimeTypes.first ?? "" }

    /// The MIME types, the usual one first.
    private var mimeTypes: [String] {
        switch self {
        case .jpeg: ["image/jpeg", "image/jpg", "image/pjpeg"]
        case .png: ["image/png", "image/x-png", "image/apng"]
        case .gif, .webp, .avif, .tiff: ["image/\(rawValue)"]
        case .heic: ["image/heic", "image/heif"]
        case .bmp: ["image/bmp", "image/x-ms-bmp"]
        case .ico: ["image/x-icon", "image/vnd.microsoft.icon"]
        case .svg: ["image/svg+xml"]
        case .jpeg2000: ["image/jp2", "image/jpx", "image/jpm", "image/j2c"]
        case .jpegXL: ["image/jxl"]
        case .psd: ["image/vnd.adobe.photoshop", "image/x-photoshop"]
        case .cameraRaw:
            [
                "image/x-dcraw", "image/x-adobe-dng", "image/x-canon-cr2", "image/x-canon-cr3", "image/x-nikon-nef",
                "image/x-sony-arw",
            ]
        case .mp4: ["video/mp4", "video/x-m4v"]
        case .quickTime: ["video/quicktime"]
        case .webm: ["video/webm", "audio/webm"]
        case .matroska: ["video/x-matroska", "video/matroska"]
        case .avi: ["video/x-msvideo", "video/avi", "video/msvideo"]
        case .mpegPS: ["video/mpeg", "video/mpeg2"]
        case .mpegTS: ["video/mp2t"]
        case .asf: ["video/x-ms-asf", "application/vnd.ms-asf", "audio/x-ms-wma", "video/x-ms-wmv"]
        case .flv: ["video/x-flv"]
        case .m4a: ["audio/mp4", "audio/m4a", "audio/x-m4a"]
        case .mp3: ["audio/mpeg", "audio/mp3"]
        case .aac: ["audio/aac", "audio/aacp"]
        case .wav: ["audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave"]
        case .aiff: ["audio/aiff", "audio/x-aiff"]
        case .ogg: ["audio/ogg", "video/ogg", "audio/opus", "application/ogg"]
        case .flac: ["audio/flac", "audio/x-flac"]
        case .amr: ["audio/amr", "audio/amr-wb"]
        case .caf: ["audio/x-caf"]
        case .au: ["audio/basic", "audio/x-au"]
        case .w64: ["audio/x-w64"]
        case .pdf: ["application/pdf"]
        case .html: ["text/html", "application/xhtml+xml"]
        case .xml: ["application/xml", "text/xml"]
        case .zip: ["application/zip"]
        case .gzip: ["application/gzip"]
        case .playlist:
            [
                "application/vnd.apple.mpegurl", "application/x-mpegurl", "audio/x-mpegurl", "audio/x-scpls",
                "application/dash+xml",
            ]
        }
    }

    private static let byExtension = [String: MediaFormat](
        allCases.flatMap { format in format.extensions.map { ($0, format) } }, uniquingKeysWith: { first, _ in first })
    private static let byMIMEType = [String: MediaFormat](
        allCases.flatMap { format in format.mimeTypes.map { ($0, format) } }, uniquingKeysWith: { first, _ in first })

    /// Returns the format of a file extension.
    ///
    /// - Parameter name: The extension without a dot, in any case.
    package static func named(extension name: String) -> MediaFormat? { byExtension[name.lowercased()] }

    /// Returns the format of the file name in a URL; `nil` if the name has no known extension.
    package static func named(fileOf url: String) -> MediaFormat? {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? path
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        return named(extension: String(name[name.index(after: dot)...]))
    }

    /// Returns the format of a MIME type.
    ///
    /// - Parameter type: The type with or without parameters, in any case.
    package static func named(mimeType type: String) -> MediaFormat? { byMIMEType[bareMIMEType(type)] }

    /// Returns a MIME type in lower case, without parameters.
    package static func bareMIMEType(_ type: String) -> String {
        String(type.prefix { $0 != ";" }.lowercased().filter { $0 != " " })
    }
}
