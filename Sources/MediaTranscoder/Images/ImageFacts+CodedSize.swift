import MediaHeaders
import MediaTypes

/// A text with the number of pixels that a decoder has to produce, for failures that state this number. A crop, an
/// alpha of another size, or tiles that extend beyond the edge make this number larger than that of the shown image.
extension ImageFacts {
    var codedSize: String {
        if let heif { return heif.codedSize }
        if let tiff { return tiff.codedSize }
        return Self.text(size.width, size.height)
    }

    fileprivate static func text(_ width: Int, _ height: Int) -> String { "\(width) x \(height) pixels" }

    fileprivate static func text(_ width: Int, _ height: Int, tiles: Int, _ tileWidth: Int, _ tileHeight: Int) -> String
    {
        "\(text(width, height)) in \(tiles) \(tiles == 1 ? "tile" : "tiles") of \(tileWidth) x \(tileHeight)"
    }
}

extension HEIFHeader {
    /// The size of the image before its crop and rotation, or that of its alpha if the alpha has more bytes.
    var codedSize: String {
        guard let alpha, alpha.decodedBytes > image.decodedBytes else { return image.codedSize }
        return "an alpha of \(alpha.codedSize)"
    }
}

extension HEIFImage {
    fileprivate var codedSize: String {
        guard (tileWidth, tileHeight) != (width, height) else { return ImageFacts.text(width, height) }
        return ImageFacts.text(width, height, tiles: tiles.count, tileWidth, tileHeight)
    }
}

extension TIFFLayout {
    var codedSize: String {
        guard let tile else { return ImageFacts.text(size.width, size.height) }
        return ImageFacts.text(size.width, size.height, tiles: tileCount, tile.width, tile.height)
    }
}
