extension MediaSignature {
    /// Returns whether the first bytes are those of a camera's raw file, by the marks of the camera makers. Most raw
    /// files are TIFF files.
    static func isCameraRaw(_ head: Span<UInt8>) -> Bool {
        // These are the marks of Olympus ORF, Panasonic RW2, Sigma X3F and Minolta MRW.
        switch head.bigEndian32(at: 0) {
        case 0x4949_524F, 0x4949_5253, 0x4D4D_4F52, 0x4949_5500, 0x464F_5662, 0x004D_524D: return true
        default: break
        }
        // These are the marks of Fujifilm RAF, Canon CRW and Canon CR2.
        if head.spells("FUJIFILMCCD-RAW", at: 0) || head.spells("HEAPCCDR", at: 6) { return true }
        return head.spells("CR\u{2}\0", at: 8) || hasRawDirectory(head)
    }

    /// Returns whether the first directory of a TIFF belongs to a raw image.
    ///
    /// Files of Nikon, Sony and Adobe (NEF, ARW, DNG) begin with the directory of a reduced image. It refers to the
    /// directory of the raw image.
    private static func hasRawDirectory(_ head: Span<UInt8>) -> Bool {
        guard let directory = TIFFDirectory.firstDirectory(of: head) else { return false }
        var isSmall = false
        var hasOthers = false
        for index in 0..<directory.entryCount {
            let start = directory.entriesOffset + index * TIFFDirectory.entryBytes
            guard let entry = TIFFEntry(at: start, isLittleEndian: directory.isLittleEndian, of: head) else { break }
            switch TIFFTag(rawValue: entry.tag) {
            case .dngVersion, .mosaicPattern, .mosaicDimensions: return true
            case .newSubfileType: isSmall = entry.value(of: head) == 1
            case .subDirectories: hasOthers = true
            default: break
            }
        }
        return isSmall && hasOthers
    }
}
