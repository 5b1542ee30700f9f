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
