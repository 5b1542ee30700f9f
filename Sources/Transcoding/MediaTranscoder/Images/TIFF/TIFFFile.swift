import CTIFF
import TranscodeProtocol

/// The owner of a TIFF that libtiff reads in memory, at its first directory. libtiff opens no file and does not call
/// the process's error handlers, which write to stderr.
@safe
struct TIFFFile: ~Copyable {
    private let handle: OpaquePointer
    private let source: UnsafeMutablePointer<agd_tiff_source>

    deinit {
        unsafe TIFFClose(handle)
        unsafe source.deallocate()
    }

    /// Opens a TIFF. The bytes have to outlive the result, because libtiff reads strips and tiles in place.
    ///
    /// - Throws: `corrupt` with libtiff's message.
    static func open(_ bytes: Span<UInt8>) throws(TranscodeFailure) -> TIFFFile {
        let source = UnsafeMutablePointer<agd_tiff_source>.allocate(capacity: 1)
        unsafe source.initialize(to: agd_tiff_source())
        unsafe source.pointee.bytes = bytes.withUnsafeBufferPointer { $0.baseAddress }
        unsafe source.pointee.count = UInt64(bytes.count)
        guard let handle = unsafe agd_tiff_open(source, tmsize_t(DecodeMemory.maxBytes)) else {
            let failure = unsafe failure(source)
            unsafe source.deallocate()
            throw failure
        }
        return unsafe TIFFFile(handle: handle, source: source)
    }

    @unsafe
    private static func failure(_ source: UnsafeMutablePointer<agd_tiff_source>) -> TranscodeFailure {
        let problem = unsafe withUnsafeBytes(of: &source.pointee.problem) { text in
            unsafe String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        }
        return .corrupt(problem.isEmpty ? "TIFF: libtiff cannot read it" : "TIFF: \(problem)")
    }

    /// Checks the result of a read.
    ///
    /// - Throws: `corrupt` if libtiff failed, or warned of missing pixels since the file was opened.
    private func check(_ isRead: Bool) throws(TranscodeFailure) {
        guard isRead, unsafe source.pointee.problem.0 == 0 else { throw unsafe Self.failure(source) }
    }

    /// Returns the value of a tag with one short. A missing tag has libtiff's default, else `otherwise`.
    func short(_ tag: Int32, otherwise: Int = 0) -> Int {
        Int(unsafe agd_tiff_short(handle, UInt32(tag), UInt16(otherwise)))
    }

    /// Returns the value of a tag with one long, or 0 if the tag is missing.
    func long(_ tag: Int32) -> Int { Int(unsafe agd_tiff_long(handle, UInt32(tag))) }

    func hasArray(_ tag: Int32) -> Bool { unsafe agd_tiff_has_array(handle, UInt32(tag)) != 0 }

    /// The meaning of the first extra sample, as `EXTRASAMPLE_*`.
    var firstExtraSample: Int32 { Int32(unsafe agd_tiff_first_extra_sample(handle)) }

    /// The size of the whole file, in bytes.
    var byteCount: Int { Int(clamping: unsafe source.pointee.count) }
    var isTiled: Bool { unsafe TIFFIsTiled(handle) != 0 }
    var tileCount: Int { Int(unsafe TIFFNumberOfTiles(handle)) }
    /// The number of bytes in a row of a tile or of the image, in one plane; 0 if libtiff cannot compute it.
    var rowBytes: Int { max(0, Int(unsafe isTiled ? TIFFTileRowSize(handle) : TIFFScanlineSize(handle))) }
    /// The number of bytes in a tile or a strip; 0 if libtiff cannot compute it. Planes are counted singly.
    var partBytes: Int { max(0, Int(unsafe isTiled ? TIFFTileSize(handle) : TIFFStripSize(handle))) }

    func isDecoded(_ compression: Int) -> Bool { TIFFIsCODECConfigured(UInt16(compression)) != 0 }

    /// Makes libtiff decode JPEGs in YCbCr to red, green and blue.
    func convertJPEG() { unsafe agd_tiff_convert_jpeg_to_rgb(handle) }

    /// The reason why libtiff cannot convert the image to red, green and blue; `nil` if libtiff can convert the image.
    var conversionRefusal: String? {
        var message = [CChar](repeating: 0, count: 1_024)
        guard unsafe TIFFRGBAImageOK(handle, &message) == 0 else { return nil }
        return String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    var profile: [UInt8] {
        var count: UInt32 = 0
        guard let bytes = unsafe agd_tiff_profile(handle, &count) else { return [] }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    /// Returns a palette's colors as 0xAARRGGBB, or `nil` without one. Some programs write 8 bits instead of 16.
    func palette(depth: Int) -> [UInt32]? {
        var tables: (UnsafePointer<UInt16>?, UnsafePointer<UInt16>?, UnsafePointer<UInt16>?) = (nil, nil, nil)
        let isThere = unsafe withUnsafeMutablePointer(to: &tables) {
            unsafe $0.withMemoryRebound(to: UnsafePointer<UInt16>?.self, capacity: 3) {
                unsafe agd_tiff_palette(handle, $0) != 0
            }
        }
        guard isThere, let red = unsafe tables.0, let green = unsafe tables.1, let blue = unsafe tables.2 else {
            return nil
        }
        let colors = (0..<1 << depth).map { unsafe [UInt32(red[$0]), UInt32(green[$0]), UInt32(blue[$0])] }
        let shift: UInt32 = colors.allSatisfy { $0.allSatisfy { $0 < 256 } } ? 0 : 8
        return colors.map { 0xFF00_0000 | ($0[0] >> shift) << 16 | ($0[1] >> shift) << 8 | $0[2] >> shift }
    }

    /// Decodes the tile at a pixel. Without tiles, it is a row, or the strip that begins there for samples in planes.
    ///
    /// - Throws: `corrupt`.
    func read(
        into target: inout [UInt8], at start: Int, count: Int, x: Int, y: Int, plane: Int, isPlanar: Bool
    ) throws(TranscodeFailure) {
        let needed = isTiled || isPlanar ? partBytes : rowBytes
        guard start >= 0, count >= needed, start + count <= target.count else {
            throw .internalFault("TIFF: the buffer is too small for a strip or a tile")
        }
        let (column, row, sample) = (UInt32(x), UInt32(y), UInt16(plane))
        let isRead = unsafe target.withUnsafeMutableBytes { bytes in
            let place = unsafe bytes.baseAddress.map { unsafe $0 + start }
            if isTiled { return unsafe TIFFReadTile(handle, place, column, row, 0, sample) >= 0 }
            guard isPlanar else { return unsafe TIFFReadScanline(handle, place, row, 0) >= 0 }
            let strip = unsafe TIFFComputeStrip(handle, row, sample)
            return unsafe TIFFReadEncodedStrip(handle, strip, place, tmsize_t(count)) >= 0
        }
        try check(isRead)
    }

    /// Decodes the whole image to red, green, blue and a byte without meaning. The image is not rotated.
    ///
    /// - Throws: `corrupt`.
    func convert(into pixels: UnsafeMutablePointer<UInt32>, width: Int, height: Int) throws(TranscodeFailure) {
        // The requested orientation is that of the file, so libtiff does not rotate the image.
        let orientation = Int32(short(TIFFTAG_ORIENTATION))
        try check(unsafe TIFFReadRGBAImageOriented(handle, UInt32(width), UInt32(height), pixels, orientation, 1) != 0)
    }
}
