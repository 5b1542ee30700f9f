import Base

extension MediaSignature {
    /// Returns the format of an MP4 or a relative, by the brands of its file type box (ISO 14496-12, 4.3); else `nil`.
    static func ofISOBaseMedia(_ head: Span<UInt8>) -> MediaFormat? {
        let size = head.bigEndian32(at: 0) ?? 0
        switch head.code(at: 4) {
        case "ftyp": break
        // QuickTime files that are older than the file type box start with one of these boxes.
        case "moov", "mdat", "wide", "free", "skip", "pnot": return size == 1 || size >= 8 ? .quickTime : nil
        default: return nil
        }
        guard size >= 16, let major = head.code(at: 8) else { return nil }
        if let certain = ofBrand(major) { return certain }
        // Files with a general major brand ("mif1", "isom") name their codec among the compatible brands.
        var compatible: [MediaFormat] = []
        // "mif3" is for small images. They have the codec's brand instead of the version (ISO 23008-12, third edition).
        var offset = major == "mif3" ? 12 : 16
        while offset + 4 <= min(size, head.count) {
            if let brand = head.code(at: offset), let known = ofBrand(brand) ?? ofGeneralBrand(brand) {
                compatible.append(known)
            }
            offset += 4
        }
        if let general = ofGeneralBrand(major) {
            return general == .heic && compatible.contains(.avif) ? .avif : general
        }
        // There are hundreds of brands. If none of them is known here, the demuxer finds the format by the tracks.
        return compatible.contains(.avif) ? .avif : compatible.first ?? .mp4
    }

    /// Returns the format of a brand that stands for exactly one format, else `nil`.
    private static func ofBrand(_ brand: FourCharacterCode) -> MediaFormat? {
        switch brand {
        case "qt  ": .quickTime
        case "M4A ", "M4B ", "M4P ": .m4a
        case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "MiHB", "MiHE", "MiHA": .heic
        case "avif", "avis", "avio", "MA1A", "MA1B": .avif
        // The brand "crx " is that of Canon's CR3.
        case "crx ": .cameraRaw
        default: nil
        }
    }

    /// Returns the format of a brand that stands for a family of formats, else `nil`.
    private static func ofGeneralBrand(_ brand: FourCharacterCode) -> MediaFormat? {
        switch brand {
        case "mif1", "mif2", "mif3", "msf1", "miaf": .heic
        case "mp41", "mp42", "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "avc1", "M4V ",
            "M4VP", "mmp4", "MSNV", "dash", "3gp4", "3gp5", "3gp6", "3gp7", "3g2a", "hvc1", "f4v ":
            .mp4
        default: nil
        }
    }
}
