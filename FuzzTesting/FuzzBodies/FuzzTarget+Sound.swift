import MediaHeaders

extension FuzzTarget {
    /// Reads the headers of sounds that are checked before a demuxer reads them.
    @Sendable static func sound(_ bytes: [UInt8]) throws(FuzzFinding) {
        if let header = try? CAFHeader(bytes.span) {
            try require((0...500_000).contains(header.packetCount), "the packets of a CAF are within the limit")
        }
        try? ASFHeader.check(bytes.span)
        try? AUHeader.check(bytes.span)
        _ = WAVLength.isUnknown(in: bytes.span)
        if let length = ID3Tag.byteCount(of: bytes.span) { try require(length >= 10, "an ID3 tag has a header") }
    }
}
