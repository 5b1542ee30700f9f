/// What a decoder sees in a file. `scripts/picture-oracle` writes it as a line of JSON, and says what each word means.
package struct ImageSighting: Sendable, Equatable, Decodable {
    package var format: String
    /// Pixels, upright.
    package var width: Int
    package var height: Int
    /// Pictures of an animation; 1 of a still.
    package var frames: Int
    /// Whether a pixel is less than opaque.
    package var alpha: Bool
    /// `pq` or `hlg`: of tones that the oracle hands on as they are, so that they are no colours of sRGB.
    package var transfer: String?
    /// What the file has besides its pixels: `comment`, `exif`, `icc`, `iptc`, `text`, `xmp`.
    package var carries: [String]
    package var whole: ImageLook
    /// Of the centre of 2:1; `nil` where the picture is no higher than that.
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

/// A line of the oracle's.
package struct OracleLine: Sendable, Decodable {
    /// Relative to where the oracle was called; none of a file that came without a name.
    package var path: String?
    package var result: Result<ImageSighting, OracleRefusal>

    private enum Key: String, CodingKey { case path, error }

    package init(from decoder: any Decoder) throws {
        let words = try decoder.container(keyedBy: Key.self)
        path = try words.decodeIfPresent(String.self, forKey: .path)
        if let why = try words.decodeIfPresent(String.self, forKey: .error) {
            result = .failure(OracleRefusal(why: why))
        } else {
            result = .success(try ImageSighting(from: decoder))
        }
    }
}

/// Why the oracle sees nothing in a file.
package struct OracleRefusal: Error, Sendable, Equatable {
    package var why: String

    package init(why: String) { self.why = why }
}
