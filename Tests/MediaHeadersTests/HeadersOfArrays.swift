import MediaHeaders

// The testing macros cannot hold a span, so the tests hand over arrays.

extension JPEGHeader {
    init(file bytes: [UInt8]) throws(MediaHeaderError) {
        self = try JPEGHeader(bytes.span)
    }
}

extension PNGHeader {
    init(file bytes: [UInt8]) throws(MediaHeaderError) {
        self = try PNGHeader(bytes.span)
    }
}

extension GIFHeader {
    init(file bytes: [UInt8]) throws(MediaHeaderError) {
        self = try GIFHeader(bytes.span)
    }
}

extension WebPHeader {
    init(file bytes: [UInt8]) throws(MediaHeaderError) {
        self = try WebPHeader(bytes.span)
    }
}

extension MediaSignature {
    static func of(file bytes: [UInt8]) -> MediaSignature? {
        of(bytes.span)
    }
}

extension PictureOrientation {
    static func inExif(file bytes: [UInt8]) -> PictureOrientation? {
        inExif(bytes.span)
    }
}
