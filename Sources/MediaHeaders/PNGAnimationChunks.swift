import MediaTypes

/// The chunks of an animation (PNG, third edition, 11.3.5), checked as libpng does. Damage shows the default image.
struct PNGAnimationChunks {
    static let types: Set<FourCharacterCode> = ["acTL", "fcTL", "fdAT"]

    private(set) var isDamaged = false
    private var hasControl = false
    /// The number that the next control or data chunk of a frame has.
    private var sequence = 0

    /// Reads a chunk of an animation.
    ///
    /// - Parameter follows: Whether the data of the default image comes before the chunk.
    /// - Parameter isIntact: Whether the checksum is right. The data of frames is treated as intact.
    mutating func read(
        _ type: FourCharacterCode, _ body: Span<UInt8>, screen: PixelSize, follows: Bool, isIntact: Bool
    ) {
        guard isIntact, isValid(type, body, screen, follows) else {
            isDamaged = true
            return
        }
        if type == "acTL" { hasControl = true } else { sequence += 1 }
    }

    private func isValid(_ type: FourCharacterCode, _ body: Span<UInt8>, _ screen: PixelSize, _ follows: Bool) -> Bool {
        guard type != "acTL" else {
            return !hasControl && !follows && body.count == 8
                && (1...0x7FFF_FFFF).contains(body.bigEndian32(at: 0) ?? 0)
        }
        guard hasControl, body.bigEndian32(at: 0) == sequence else { return false }
        guard type == "fcTL" else { return true }
        guard body.count == 26, let width = body.bigEndian32(at: 4), let height = body.bigEndian32(at: 8),
            let left = body.bigEndian32(at: 12), let top = body.bigEndian32(at: 16)
        else { return false }
        // The default image is a frame if its control chunk comes first.
        let isWhole = (left, top) == (0, 0) && PixelSize(width: width, height: height) == screen
        return width > 0 && height > 0 && left + width <= screen.width && top + height <= screen.height
            && (follows || isWhole) && body[24] <= 2 && body[25] <= 1
    }
}
