extension MediaSignature {
    /// The class of the media item. `nil` for other files, and for drawings and playlists, because they are not
    /// decoded.
    package var mediaClass: MediaClass? {
        switch self {
        case .jpeg, .png, .gif, .webp, .heic, .avif, .bmp, .tiff, .ico, .jpeg2000, .jpegXL, .psd, .cameraRaw: .image
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
    case image
    case video
    case sound
}

extension MediaSignature {
    /// Returns whether an Ogg file that begins with these bytes has a video stream.
    ///
    /// The first page of each stream comes before all other pages (RFC 3533, section 4). Its packet begins with the
    /// name of the codec.
    package static func hasOggVideo(_ head: Span<UInt8>) -> Bool {
        var page = 0
        while head.code(at: page) == "OggS", let flags = head.byte(at: page + 5), flags & 2 != 0,
            let segments = head.byte(at: page + 26)
        {
            let packet = page + 27 + Int(segments)
            if isVideoPacket(head, at: packet) { return true }
            page = packet
            for index in 0..<Int(segments) { page += Int(head.byte(at: packet - Int(segments) + index) ?? 0) }
        }
        return false
    }

    /// Returns whether the packet at the offset begins a stream of Theora, Dirac, VP8 or an OGM video.
    private static func isVideoPacket(_ head: Span<UInt8>, at packet: Int) -> Bool {
        head.byte(at: packet) == 0x80 && head.spells("theora", at: packet + 1) || head.spells("BBCD", at: packet)
            || head.spells("OVP80", at: packet) || head.spells("\u{1}video", at: packet)
    }
}

extension MediaSignature {
    /// The maximum number of leading zero bytes that are skipped. Some recorders write them before an MP3.
    package static let mostLeadingZeros = 65_536

    /// Returns the reason why a file has no rendition: a sentence that names the format of its first bytes.
    ///
    /// - Parameter declaredType: The value of `Content-Type`; `nil` if the response has none.
    package static func refusal(of head: Span<UInt8>, declaredType: String?) -> String {
        let declared = declaredType.map { ", declared as \($0.prefix(100))" } ?? ""
        guard let label = of(head)?.label ?? ForeignFormat.label(of: head) else {
            return "the bytes have no known media type\(declared)"
        }
        return "the bytes are \(label)\(declared)"
    }

    /// Returns whether the signature of a file can follow after its first bytes, because all of them are zero.
    package static func mayBeginLater(_ head: Span<UInt8>) -> Bool {
        for offset in 0..<head.count where head[offset] != 0 { return false }
        return true
    }
}
