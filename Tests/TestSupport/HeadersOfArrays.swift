package import Base
package import MediaHeaders

// The tests pass arrays, because the testing macros cannot hold a span.

extension JPEGHeader {
    package init(file bytes: [UInt8]) throws(MediaHeaderError) {
        self = try JPEGHeader(bytes.span)
    }
}

extension PNGHeader {
    package init(file bytes: [UInt8]) throws(MediaHeaderError) {
        self = try PNGHeader(bytes.span)
    }
}

extension GIFHeader {
    package init(file bytes: [UInt8]) throws(MediaHeaderError) {
        self = try GIFHeader(bytes.span)
    }
}

extension WebPHeader {
    package init(file bytes: [UInt8]) throws(MediaHeaderError) {
        self = try WebPHeader(bytes.span)
    }
}

extension MediaSignature {
    package static func of(file bytes: [UInt8]) -> MediaFormat? {
        of(bytes.span)
    }
}

extension ImageOrientation {
    package static func inExif(file bytes: [UInt8]) -> ImageOrientation? {
        inExif(bytes.span)
    }
}

extension HEIFHeader {
    package init(file bytes: [UInt8]) throws(MediaHeaderError) {
        self = try HEIFHeader(bytes.span)
    }
}

extension BMPHeader {
    package init(file bytes: [UInt8]) throws(MediaHeaderError) {
        self = try BMPHeader(bytes.span)
    }
}

extension ICOHeader {
    package init(file bytes: [UInt8]) throws(MediaHeaderError) {
        self = try ICOHeader(bytes.span)
    }
}
