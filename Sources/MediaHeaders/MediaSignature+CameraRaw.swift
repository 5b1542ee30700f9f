extension MediaSignature {
    /// What cameras write before they make a picture of it, by the makers' marks. Most are TIFF inside.
    static func isCameraRaw(_ head: Span<UInt8>) -> Bool {
        // Olympus ORF, Panasonic RW2, Sigma X3F, Minolta MRW.
        switch head.bigEndian32(at: 0) {
        case 0x4949_524F, 0x4949_5253, 0x4D4D_4F52, 0x4949_5500, 0x464F_5662, 0x004D_524D: return true
        default: break
        }
        // Fujifilm RAF, Canon CRW and CR2.
        if head.spells("FUJIFILMCCD-RAW", at: 0) || head.spells("HEAPCCDR", at: 6) { return true }
        return head.spells("CR\u{2}\0", at: 8) || hasRawDirectory(head)
    }

    /// A TIFF whose first directory is that of a raw picture, or of the small one that Nikon's, Sony's and Adobe's files
    /// (NEF, ARW, DNG) have before it.
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
