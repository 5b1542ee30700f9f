/// What of a decoded picture is shown, and which way up: first the crop, then the turn.
///
/// HEIF lists crops and turns in any order and number, each applied to what the ones before have left (ISO 23008-12,
/// 6.3). Whole pixels turned by quarters stay whole, so every such list equals one crop of the decoded picture and one
/// turn, without any loss.
package struct ImageFraming: Sendable, Equatable {
    /// In decoded pixels, before the turn; never empty, never beyond the picture. Its corner may be odd where colour
    /// differences are halved: who cuts such planes brings them to full size first (ISO 23000-22, 7.3.6.7).
    package private(set) var crop: ImageRectangle
    package private(set) var orientation = ImageOrientation.upright

    /// The whole picture, upright.
    package init(width: Int, height: Int) {
        crop = ImageRectangle(x: 0, y: 0, width: width, height: height)
    }

    /// Pixels of the picture as it is shown.
    package var width: Int {
        orientation.swapsSides ? crop.height : crop.width
    }

    package var height: Int {
        orientation.swapsSides ? crop.width : crop.height
    }

    /// Turns what is shown so far.
    package mutating func turn(_ next: ImageOrientation) {
        orientation = orientation.then(next)
    }

    /// Cuts a part out of what is shown so far; what of it lies beyond is left out.
    ///
    /// - Returns: whether anything remains. If not, nothing changes.
    @discardableResult
    package mutating func crop(to part: ImageRectangle) -> Bool {
        let left = max(0, part.x)
        let top = max(0, part.y)
        var across = min(width, part.x.addedOrMax(part.width)) - left
        var down = min(height, part.y.addedOrMax(part.height)) - top
        guard across > 0, down > 0 else { return false }
        // The way back: the mirrors first, then the sides.
        var x = orientation.mirrorsAcross ? width - left - across : left
        var y = orientation.mirrorsDown ? height - top - down : top
        if orientation.swapsSides {
            swap(&x, &y)
            swap(&across, &down)
        }
        crop = ImageRectangle(x: crop.x + x, y: crop.y + y, width: across, height: down)
        return true
    }
}

/// A part of a picture in whole pixels, from the top left corner.
package struct ImageRectangle: Sendable, Equatable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}
