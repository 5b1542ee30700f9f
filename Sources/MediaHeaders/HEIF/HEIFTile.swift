/// One coded picture of a HEIF file: what a decoder is given.
package struct HEIFTile: Sendable, Equatable {
    /// The body of hvcC or av1C, as it goes before a decoder's packets, or of jpgC, which the JPEG begins with; `nil` for
    /// a whole JPEG.
    package var configuration: Range<Int>?
    /// The ranges of the file that make one packet when they are joined in this order. Beyond the file's end when the
    /// header is not complete.
    package var extents: [Range<Int>]

    package init(configuration: Range<Int>?, extents: [Range<Int>]) {
        self.configuration = configuration
        self.extents = extents
    }

    package var byteCount: Int {
        extents.reduce(0) { $0.addedOrMax($1.count) }
    }
}
