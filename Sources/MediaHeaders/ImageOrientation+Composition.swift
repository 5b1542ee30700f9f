extension ImageOrientation {
    /// Returns the orientation that has the same effect as this orientation followed by another.
    package func then(_ next: ImageOrientation) -> ImageOrientation {
        // A transposition after two mirrors exchanges these mirrors.
        let across = next.swapsSides ? mirrorsDown : mirrorsAcross
        let down = next.swapsSides ? mirrorsAcross : mirrorsDown
        return ImageOrientation(
            swapsSides: swapsSides != next.swapsSides, mirrorsAcross: across != next.mirrorsAcross,
            mirrorsDown: down != next.mirrorsDown)
    }

    /// Creates the orientation of three steps: the transposition comes first, then the mirror of left and right, then
    /// the mirror of top and bottom.
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

    /// Whether left and right are exchanged, after the transposition if there is one.
    var mirrorsAcross: Bool {
        switch self {
        case .mirrored, .turnedHalf, .turnedRight, .transversed: true
        case .upright, .flipped, .transposed, .turnedLeft: false
        }
    }

    /// Whether top and bottom are exchanged, after the transposition if there is one.
    var mirrorsDown: Bool {
        switch self {
        case .turnedHalf, .flipped, .transversed, .turnedLeft: true
        case .upright, .mirrored, .transposed, .turnedRight: false
        }
    }
}
