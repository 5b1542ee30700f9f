/// What of the options changes the files that are made.
extension AttachmentOptions {
    /// The part of the picture that its thumbnail shows; `nil`: all of it. What sticks out is cut off, and a rectangle
    /// without anything of the picture in it is as if there were none.
    package var thumbnailClip: ClippingRect? {
        guard let rect = thumbnailClippingRect else { return nil }
        let (left, right) = Self.clamped(rect.x, rect.width)
        let (top, bottom) = Self.clamped(rect.y, rect.height)
        guard left < right, top < bottom, right - left < 1 || bottom - top < 1 else { return nil }
        return ClippingRect(x: left, y: top, width: right - left, height: bottom - top)
    }

    private static func clamped(_ start: Double, _ length: Double) -> (Double, Double) {
        // Of numbers that are none, the comparisons make an empty range.
        (min(max(start, 0), 1), min(max(start + length, 0), 1))
    }

    /// The same for options by which the same files are made of a medium; empty where there are none.
    package var thumbnailKey: String {
        var parts: [String] = []
        if thumbnailHidden { parts.append("hidden") }
        // What is hidden is not made, whatever it would have shown.
        if !thumbnailHidden, let clip = thumbnailClip {
            parts.append("clip=\(clip.x),\(clip.y),\(clip.width),\(clip.height)")
        }
        if let thumbnailTime { parts.append("time=\(thumbnailTime)") }
        return parts.joined(separator: ";")
    }
}
