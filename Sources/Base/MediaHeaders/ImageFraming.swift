package import Base

/// The crop and the orientation with which a decoded image is shown. The crop is applied first.
///
/// HEIF lists crops and turns in any order and number. Each step applies to the result of the previous step (ISO
/// 23008-12, 6.3). Quarter turns map whole pixels to whole pixels. Each such list therefore equals one crop of the
/// decoded image and one turn, without any loss.
package struct ImageFraming: Sendable, Equatable {
    /// The crop in decoded pixels, before the turn. The crop is never empty, and lies within the image.
    ///
    /// The corner may be odd. Subsampled chroma is scaled up before such a crop (ISO 23000-22, 7.3.6.7).
    package private(set) var crop: Rectangle<Int>
    package private(set) var orientation = ImageOrientation.upright

    /// Creates the framing that shows the whole image upright.
    package init(width: Int, height: Int) { crop = Rectangle(x: 0, y: 0, width: width, height: height) }

    /// The size of the shown image.
    package var size: PixelSize { PixelSize(width: crop.width, height: crop.height).turned(orientation) }

    package var width: Int { size.width }
    package var height: Int { size.height }

    /// Adds a turn of the image that the framing shows so far.
    package mutating func turn(_ next: ImageOrientation) { orientation = orientation.then(next) }

    /// Adds a crop of the image that the framing shows so far. Any area of `part` outside this image is ignored.
    ///
    /// - Returns: Whether any pixel remains. If no pixel remains, the framing is unchanged.
    @discardableResult
    package mutating func crop(to part: Rectangle<Int>) -> Bool {
        let left = max(0, part.x)
        let top = max(0, part.y)
        var across = min(width, part.x.addedOrMax(part.width)) - left
        var down = min(height, part.y.addedOrMax(part.height)) - top
        guard across > 0, down > 0 else { return false }
        // The rectangle is mapped back to decoded pixels: the mirrors are undone first, then the transposition.
        var x = orientation.mirrorsAcross ? width - left - across : left
        var y = orientation.mirrorsDown ? height - top - down : top
        if orientation.swapsSides {
            swap(&x, &y)
            swap(&across, &down)
        }
        crop = Rectangle(x: crop.x + x, y: crop.y + y, width: across, height: down)
        return true
    }
}
