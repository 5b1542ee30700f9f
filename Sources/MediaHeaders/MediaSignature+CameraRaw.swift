extension MediaSignature {
    /// Returns whether the first directory of a TIFF belongs to a raw image.
    ///
    /// Files of Nikon, Sony and Adobe (NEF, ARW, DNG) begin with the directory of a reduced image. This directory
    /// refers to the directory of the raw image.
    static func hasRawDirectory(_ head: Span<UInt8>) -> Bool {
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
