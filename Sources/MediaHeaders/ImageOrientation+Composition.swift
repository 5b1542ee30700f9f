extension ImageOrientation {
    /// Turning this way first, then another.
    package func then(_ next: ImageOrientation) -> ImageOrientation {
        // A transposition that follows mirrors exchanges them.
        let across = next.swapsSides ? mirrorsDown : mirrorsAcross
        let down = next.swapsSides ? mirrorsAcross : mirrorsDown
        return ImageOrientation(
            swapsSides: swapsSides != next.swapsSides, mirrorsAcross: across != next.mirrorsAcross,
            mirrorsDown: down != next.mirrorsDown)
    }

    /// Each orientation is a transposition or none, then a mirror of left and right or none, then one of top and bottom.
    private init(swapsSides: Bool, mirrorsAcross: Bool, mirrorsDown: Bool) {
        self =
            switch (swapsSides, mirrorsAcross, mirrorsDown) {
            case (false, false, false): .upright
            case (false, true, false): .mirrored
            case (false, true, true): .turnedHalf
            case (false, false, true): .flipped
            case (true, false, false): .transposed
            case (true, true, false): .turnedRight
            case (true, true, true): .transversed
            case (true, false, true): .turnedLeft
            }
    }

    /// Whether left and right change places, after the sides have.
    var mirrorsAcross: Bool {
        switch self {
        case .mirrored, .turnedHalf, .turnedRight, .transversed: true
        case .upright, .flipped, .transposed, .turnedLeft: false
        }
    }

    /// Whether top and bottom change places, after the sides have.
    var mirrorsDown: Bool {
        switch self {
        case .turnedHalf, .flipped, .transversed, .turnedLeft: true
        case .upright, .mirrored, .transposed, .turnedRight: false
        }
    }
}
