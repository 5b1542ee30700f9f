/// The description of a file by a decoder. `scripts/picture-oracle` writes it as a line of JSON, and documents each
/// member.
package struct ObservedImage: Sendable, Equatable, Decodable {
    package var format: String
    /// The width in pixels, after orientation.
    package var width: Int
    package var height: Int
    /// The number of frames of an animation; 1 for a still image.
    package var frames: Int
    /// Whether a pixel is not fully opaque.
    package var alpha: Bool
    /// The transfer function `pq` or `hlg`, whose values the oracle does not convert to sRGB; `nil` for sRGB.
    package var transfer: String?
    /// The other data in the file: `comment`, `exif`, `icc`, `iptc`, `text`, `xmp`.
    package var carries: [String]
    package var whole: ImageLook
    /// The look of the center with the ratio 2:1; `nil` if the image is not taller.
    package var cut: ImageLook?

    package init(format: String, pixels: ImagePixels, frames: Int = 1, carries: [String] = []) {
        self.format = format
        (width, height) = (pixels.width, pixels.height)
        self.frames = frames
        self.carries = carries
        whole = ImageLook(of: pixels)
        alpha = whole.opacity != nil
    }
}

/// A line of the oracle's output.
package struct OracleLine: Sendable, Decodable {
    /// The path relative to the directory of the oracle's call; `nil` for a file without a name.
    package var path: String?
    package var result: Result<ObservedImage, OracleRefusal>

    private enum Key: String, CodingKey { case path, error }

    package init(from decoder: any Decoder) throws {
        let words = try decoder.container(keyedBy: Key.self)
        path = try words.decodeIfPresent(String.self, forKey: .path)
        if let why = try words.decodeIfPresent(String.self, forKey: .error) {
            result = .failure(OracleRefusal(why: why))
        } else {
            result = .success(try ObservedImage(from: decoder))
        }
    }
}

/// The reason for which the oracle does not decode a file.
package struct OracleRefusal: Error, Sendable, Equatable {
    package var why: String

    package init(why: String) { self.why = why }
}
