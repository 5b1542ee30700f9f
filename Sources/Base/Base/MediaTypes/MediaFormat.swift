/// A file format that a payload or an origin may name, or that the first bytes of a file show.
///
/// This target has the facts about media that all targets share. It does no I/O and has no dependencies.
///
/// Each format is one case and one row of ``facts``.
///
/// The raw value is the format's code between the daemon and a worker. It may change with each version.
///
/// To add a new media format, do this: write its case, and its facts in `row`, which the compiler asks for. If its
/// first bytes do not suffice to recognize it, `MediaSignature` needs a check of its header; if it is decoded, the
/// worker needs a decoder. `MediaSignatureTests` fails until a table of samples has the format.
package enum MediaFormat: UInt8, Sendable, CaseIterable {
    case jpeg = 1
    case png, gif, webp, heic, avif, bmp, tiff, ico, svg, jpeg2000, jpegXL, psd
    /// The data of a camera's sensor in the format of the camera's maker: DNG, CR2, NEF and similar formats.
    case cameraRaw
    case mp4, quickTime, webm, matroska, avi, mpegPS, mpegTS
    case m4a, mp3
    /// AAC in the frames of broadcasts (ADTS).
    case aac
    /// WAV, and its variants with lengths of 64 bits: RF64 and BW64.
    case wav
    case aiff, ogg, flac
    /// AMR, the codec of mobile telephones, with 8,000 or 16,000 samples per second.
    case amr
    case caf, au
    /// Wave64, Sony's form of WAV with lengths of 64 bits.
    case w64
    /// Windows Media, with or without a video stream.
    case asf
    case flv
    case pdf, html, xml, zip, gzip
    /// A text that names other files for a player to open: HLS, M3U, PLS, ASX, SMIL, XSPF, ffconcat, DASH or SDP.
    case playlist

    /// The row of the format.
    ///
    /// The MIME types are those of IANA's registry, and those that common servers and vendors use in addition. Magic
    /// numbers are those of the formats' specifications, and of magic/Magdir in the sources of file(1).
    var row: Facts {
        switch self {
        case .jpeg:
            Facts(
                kind: .image, name: "JPEG", mimeTypes: ["image/jpeg", "image/jpg", "image/pjpeg"], uti: "public.jpeg",
                extensions: ["jpg", "jpeg", "jpe"], uses: [.decoded, .made, .shownByPhones],
                magic: [.bytes(0xFF, 0xD8, 0xFF)])
        case .png:
            Facts(
                kind: .image, name: "PNG", mimeTypes: ["image/png", "image/x-png", "image/apng"], uti: "public.png",
                extensions: ["png"], uses: [.decoded, .made, .shownByPhones, .animated],
                magic: [.bytes(0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A)])
        case .gif:
            Facts(
                kind: .image, name: "GIF", mimeTypes: ["image/gif"], uti: "com.compuserve.gif", extensions: ["gif"],
                uses: [.decoded, .made, .shownByPhones, .animated], magic: ["GIF87a", "GIF89a"])
        case .webp:
            Facts(
                kind: .image, name: "WebP", mimeTypes: ["image/webp"], uti: "org.webmproject.webp",
                extensions: ["webp"], uses: [.decoded, .made, .animated], magic: [.begin("RIFF", then: "WEBP", at: 8)])
        case .heic:
            Facts(
                kind: .image, name: "HEIC", mimeTypes: ["image/heic", "image/heif"], uti: "public.heic",
                extensions: ["heic", "heif"], uses: [.decoded, .animated])
        case .avif:
            Facts(
                kind: .image, name: "AVIF", mimeTypes: ["image/avif"], uti: "public.avif", extensions: ["avif"],
                container: .heic, uses: [.decoded, .made, .animated])
        case .bmp:
            Facts(
                kind: .image, name: "BMP", mimeTypes: ["image/bmp", "image/x-ms-bmp"], uti: "com.microsoft.bmp",
                extensions: ["bmp"], uses: [.decoded], magic: ["BM"])
        case .tiff:
            // The magic numbers of BigTIFF, whose offsets have eight bytes, come last.
            Facts(
                kind: .image, name: "TIFF", mimeTypes: ["image/tiff"], uti: "public.tiff", extensions: ["tiff", "tif"],
                uses: [.decoded], magic: ["II*\0", "MM\0*", "II+\0\u{8}\0", "MM\0+\0\u{8}"])
        case .ico:
            Facts(
                kind: .image, name: "icon", phrase: "an icon file",
                mimeTypes: ["image/x-icon", "image/vnd.microsoft.icon"], uti: "com.microsoft.ico",
                extensions: ["ico", "cur"], uses: [.decoded], magic: ["\0\0\u{1}\0", "\0\0\u{2}\0"])
        case .svg:
            Facts(
                kind: .image, name: "SVG", phrase: "an SVG drawing", mimeTypes: ["image/svg+xml"],
                uti: "public.svg-image", extensions: ["svg"])
        case .jpeg2000:
            Facts(
                kind: .image, name: "JPEG 2000", mimeTypes: ["image/jp2", "image/jpx", "image/jpm", "image/j2c"],
                uti: "public.jpeg-2000", extensions: ["jp2", "j2k", "jpf", "jpx", "j2c"],
                magic: [
                    .bytes(0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A),
                    .bytes(0xFF, 0x4F, 0xFF, 0x51),
                ])
        case .jpegXL:
            Facts(
                kind: .image, name: "JPEG XL", mimeTypes: ["image/jxl"], uti: "public.jpeg-xl", extensions: ["jxl"],
                magic: [.bytes(0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A), .bytes(0xFF, 0x0A)])
        case .psd:
            Facts(
                kind: .image, name: "PSD", phrase: "a Photoshop document",
                mimeTypes: ["image/vnd.adobe.photoshop", "image/x-photoshop"], uti: "com.adobe.photoshop-image",
                extensions: ["psd", "psb"], magic: ["8BPS\0\u{1}", "8BPS\0\u{2}"])
        case .cameraRaw:
            // The magic numbers of Olympus ORF, Panasonic RW2, Sigma X3F, Minolta MRW, Fujifilm RAF, Canon CRW and CR2.
            Facts(
                kind: .image, name: "camera raw", phrase: "a camera's raw file",
                mimeTypes: [
                    "image/x-dcraw", "image/x-adobe-dng", "image/x-canon-cr2", "image/x-canon-cr3", "image/x-nikon-nef",
                    "image/x-sony-arw",
                ], uti: "public.camera-raw-image",
                extensions: ["dng", "cr2", "cr3", "crw", "nef", "arw", "orf", "raf", "rw2", "pef", "x3f"],
                magic: [
                    "IIRO", "IIRS", "MMOR", "IIU\0", "FOVb", "\0MRM", "FUJIFILMCCD-RAW",
                    .begin("II", then: "HEAPCCDR", at: 6),
                    .begin("II*\0", then: "CR\u{2}\0", at: 8),
                ])
        case .mp4:
            Facts(
                kind: .video, name: "MP4", mimeTypes: ["video/mp4", "video/x-m4v"], uti: "public.mpeg-4",
                extensions: ["mp4", "m4v", "mpg4", "mpeg4"], uses: [.decoded, .made, .shownByPhones])
        case .quickTime:
            Facts(
                kind: .video, name: "QuickTime", mimeTypes: ["video/quicktime"], uti: "com.apple.quicktime-movie",
                extensions: ["mov", "qt"], container: .mp4, uses: [.decoded])
        case .webm:
            Facts(
                kind: .video, name: "WebM", mimeTypes: ["video/webm", "audio/webm"], uti: "org.webmproject.webm",
                extensions: ["webm"], container: .matroska, uses: [.decoded])
        case .matroska:
            Facts(
                kind: .video, name: "Matroska", mimeTypes: ["video/x-matroska", "video/matroska"],
                uti: "org.matroska.mkv", extensions: ["mkv"], uses: [.decoded], magic: [.bytes(0x1A, 0x45, 0xDF, 0xA3)])
        case .avi:
            Facts(
                kind: .video, name: "AVI", mimeTypes: ["video/x-msvideo", "video/avi", "video/msvideo"],
                uti: "public.avi", extensions: ["avi"], uses: [.decoded, .shownByPhones],
                magic: [.begin("RIFF", then: "AVI ", at: 8)])
        case .mpegPS:
            Facts(
                kind: .video, name: "MPEG", phrase: "an MPEG program stream", mimeTypes: ["video/mpeg", "video/mpeg2"],
                uti: "public.mpeg", extensions: ["mpg", "mpeg", "mpeg2"], uses: [.decoded, .shownByPhones],
                magic: [.bytes(0, 0, 1, 0xBA)])
        case .mpegTS:
            Facts(
                kind: .video, name: "MPEG transport stream", phrase: "an MPEG transport stream",
                mimeTypes: ["video/mp2t"], uti: "public.mpeg-2-transport-stream", extensions: ["ts", "m2ts"],
                uses: [.decoded])
        case .m4a:
            Facts(
                kind: .sound, name: "M4A", mimeTypes: ["audio/mp4", "audio/m4a", "audio/x-m4a"],
                uti: "public.mpeg-4-audio", extensions: ["m4a"], container: .mp4,
                uses: [.decoded, .made, .shownByPhones])
        case .mp3:
            Facts(
                kind: .sound, name: "MP3", mimeTypes: ["audio/mpeg", "audio/mp3"], uti: "public.mp3",
                extensions: ["mp3"], uses: [.decoded, .made, .shownByPhones], magic: ["ID3"])
        case .aac:
            Facts(
                kind: .sound, name: "AAC", mimeTypes: ["audio/aac", "audio/aacp"], uti: "public.aac-audio",
                extensions: ["aac"], uses: [.decoded])
        case .wav:
            Facts(
                kind: .sound, name: "WAV", mimeTypes: ["audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave"],
                uti: "com.microsoft.waveform-audio", extensions: ["wav", "wave", "rf64"],
                uses: [.decoded, .made, .shownByPhones],
                magic: [
                    .begin("RIFF", then: "WAVE", at: 8), .begin("RF64", then: "WAVE", at: 8),
                    .begin("BW64", then: "WAVE", at: 8),
                ])
        case .aiff:
            Facts(
                kind: .sound, name: "AIFF", mimeTypes: ["audio/aiff", "audio/x-aiff"], uti: "public.aiff-audio",
                extensions: ["aif", "aiff", "aifc"], uses: [.decoded, .made, .shownByPhones],
                magic: [.begin("FORM", then: "AIFF", at: 8), .begin("FORM", then: "AIFC", at: 8)])
        case .ogg:
            Facts(
                kind: .sound, name: "Ogg", mimeTypes: ["audio/ogg", "video/ogg", "audio/opus", "application/ogg"],
                uti: "org.xiph.ogg-audio", extensions: ["ogg", "oga", "opus"], uses: [.decoded], magic: ["OggS"])
        case .flac:
            Facts(
                kind: .sound, name: "FLAC", mimeTypes: ["audio/flac", "audio/x-flac"], uti: "org.xiph.flac",
                extensions: ["flac"], uses: [.decoded], magic: ["fLaC"])
        case .amr:
            Facts(
                kind: .sound, name: "AMR", mimeTypes: ["audio/amr", "audio/amr-wb"],
                uti: "org.3gpp.adaptive-multi-rate-audio", extensions: ["amr", "awb"], uses: [.decoded],
                magic: ["#!AMR\n", "#!AMR-WB\n"])
        case .caf:
            Facts(
                kind: .sound, name: "CAF", phrase: "a Core Audio file (CAF)", mimeTypes: ["audio/x-caf"],
                uti: "com.apple.coreaudio-format", extensions: ["caf"], uses: [.decoded], magic: ["caff\0\u{1}"])
        case .au:
            Facts(
                kind: .sound, name: "AU", phrase: "a sound in Sun's format (AU)",
                mimeTypes: ["audio/basic", "audio/x-au"], uti: "public.au-audio", extensions: ["au", "snd"],
                uses: [.decoded], magic: [".snd"])
        case .w64:
            // Apple has no identifier of this format, so the identifier is that of all sounds.
            Facts(
                kind: .sound, name: "Wave64", mimeTypes: ["audio/x-w64"], uti: "public.audio", extensions: ["w64"],
                uses: [.decoded], magic: [.bytes(0x72, 0x69, 0x66, 0x66, 0x2E, 0x91, 0xCF, 0x11).and("wave", at: 24)])
        case .asf:
            Facts(
                kind: .video, name: "Windows Media", phrase: "Windows Media (ASF)",
                mimeTypes: ["video/x-ms-asf", "application/vnd.ms-asf", "audio/x-ms-wma", "video/x-ms-wmv"],
                uti: "com.microsoft.advanced-systems-format", extensions: ["asf", "wma", "wmv"], uses: [.decoded],
                magic: [.bytes(0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11)])
        case .flv:
            Facts(
                kind: .video, name: "Flash video", mimeTypes: ["video/x-flv"], uti: "com.adobe.flash.video",
                extensions: ["flv"], uses: [.decoded], magic: ["FLV\u{1}"])
        case .pdf:
            Facts(
                kind: nil, name: "PDF", phrase: "a PDF document", mimeTypes: ["application/pdf"], uti: "com.adobe.pdf",
                extensions: ["pdf"], magic: ["%PDF"])
        case .html:
            Facts(
                kind: nil, name: "HTML", phrase: "an HTML page", mimeTypes: ["text/html", "application/xhtml+xml"],
                uti: "public.html", extensions: ["html", "htm"])
        case .xml:
            Facts(
                kind: nil, name: "XML", phrase: "an XML document", mimeTypes: ["application/xml", "text/xml"],
                uti: "public.xml", extensions: ["xml"])
        case .zip:
            Facts(
                kind: nil, name: "ZIP", phrase: "a ZIP archive", mimeTypes: ["application/zip"],
                uti: "public.zip-archive", extensions: ["zip"], uses: [.wrapper],
                magic: ["PK\u{3}\u{4}", "PK\u{5}\u{6}"])
        case .gzip:
            Facts(
                kind: nil, name: "gzip", phrase: "a gzip file", mimeTypes: ["application/gzip"],
                uti: "org.gnu.gnu-zip-archive", extensions: ["gz"], uses: [.wrapper], magic: [.bytes(0x1F, 0x8B)])
        case .playlist:
            Facts(
                kind: nil, name: "playlist", phrase: "a playlist",
                mimeTypes: [
                    "application/vnd.apple.mpegurl", "application/x-mpegurl", "audio/x-mpegurl", "audio/x-scpls",
                    "application/dash+xml",
                ], uti: "public.m3u-playlist", extensions: ["m3u8", "m3u", "pls", "mpd"], uses: [.wrapper])
        }
    }
}
