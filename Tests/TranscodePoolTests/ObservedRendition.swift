import CFFmpeg
import Foundation
import ImageQuality
import LinuxIO
import NotificationModel
import TranscodeProtocol

@testable import MediaTranscoder

/// The content of a rendition, decoded in the test's process, and its metadata.
struct ObservedRendition {
    let observed: ObservedImage
    let pixels: ImagePixels

    /// Decodes a rendition without its EXIF orientation.
    ///
    /// - Parameter rendition: A JPEG, PNG, GIF, WebP or AVIF.
    /// - Parameter readsProfile: Whether the colors of the rendition are converted to sRGB.
    init(_ rendition: Rendition, readsProfile: Bool = true) throws {
        let format = rendition.info.type
        let input = try MappedInput.map(rendition.file.descriptor)
        let facts = try input.withBytes { span throws(TranscodeFailure) in
            try ImageInspection.inspect(span, as: format, limits: DecodeLimits())
        }
        let frame = try ImageDecoding.decode(input, facts: facts, wanted: facts.size, limits: DecodeLimits())
        pixels = try Self.pixels(of: frame, readsProfile: readsProfile)
        observed = ObservedImage(
            format: "\(rendition.info.type)".uppercased(), pixels: pixels, frames: rendition.info.frames,
            carries: Self.carried(
                Data(try FileSystem.bytes(of: rendition.file, at: 0, count: rendition.info.byteCount))))
    }

    /// Returns the pixels, converted to sRGB. A copied file still has its profile.
    private static func pixels(of frame: borrowing Frame, readsProfile: Bool) throws -> ImagePixels {
        let target = try Frame.allocate(width: frame.width, height: frame.height, format: AV_PIX_FMT_RGBA)
        try Scaler.make(from: frame.shape, to: target.shape, quality: .still).scale(frame, into: target)
        let (width, height, rowBytes) = (target.width, target.height, target.stride(0))
        var bytes: [UInt8] = []
        target.withPlane(0) { plane in
            for row in 0..<height {
                plane.extracting(row * rowBytes..<row * rowBytes + width * 4)
                    .withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
            }
        }
        let isGray = [AV_PIX_FMT_GRAY8, AV_PIX_FMT_YA8].contains(frame.format)
        if readsProfile, let transform = frame.transform(of: isGray ? .gray : .rgb) {
            let pixels = stride(from: 0, to: bytes.count, by: 4)
            let channels = isGray ? 1 : 3
            let source = pixels.flatMap { bytes[$0..<$0 + channels] }
            var converted = [UInt8](repeating: 0, count: width * height * 3)
            var span = converted.mutableSpan
            transform.convert(source.span, into: &span, pixels: width * height)
            for (pixel, start) in pixels.enumerated() {
                bytes.replaceSubrange(start..<start + 3, with: converted[pixel * 3..<pixel * 3 + 3])
            }
        }
        return ImagePixels(width: width, height: height, bytes: bytes)
    }

    /// Returns the kinds of metadata, found by their identifying strings anywhere in the file.
    private static func carried(_ bytes: Data) -> [String] {
        let words = [
            "exif": ["Exif\0\0", "eXIf"], "iptc": ["Photoshop 3.0"], "text": ["iTXt", "tEXt", "zTXt"],
            "xmp": ["http://ns.adobe.com/xap/", "XML:com.adobe.xmp", "XMP DataXMP"],
        ]
        return words.filter { $0.value.contains { bytes.range(of: Data($0.utf8)) != nil } }.keys.sorted()
    }
}
