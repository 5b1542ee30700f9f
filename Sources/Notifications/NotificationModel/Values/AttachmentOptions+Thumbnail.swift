package import Base

/// The options that change the files of an attachment.
extension AttachmentOptions {
    /// The part of the image that its thumbnail shows. If `nil`, the thumbnail shows the whole image. Parts of the
    /// rectangle outside the image are cut off. A rectangle that contains no part of the image is ignored.
    package var thumbnailClip: Rectangle<Double>? {
        guard let rect = thumbnailClippingRect else { return nil }
        let (left, right) = Self.clamped(rect.x, rect.width)
        let (top, bottom) = Self.clamped(rect.y, rect.height)
        guard left < right, top < bottom, right - left < 1 || bottom - top < 1 else { return nil }
        return Rectangle(x: left, y: top, width: right - left, height: bottom - top)
    }

    private static func clamped(_ start: Double, _ length: Double) -> (Double, Double) {
        // For values that are not numbers (NaN), the comparisons return an empty range.
        (min(max(start, 0), 1), min(max(start + length, 0), 1))
    }

    /// A key that is equal for options which result in the same files. The key is empty if no option changes the files.
    package var thumbnailKey: String {
        var parts: [String] = []
        if thumbnailHidden { parts.append("hidden") }
        // A hidden thumbnail is not made, so its rectangle does not matter.
        if !thumbnailHidden, let clip = thumbnailClip {
            parts.append("clip=\(clip.x),\(clip.y),\(clip.width),\(clip.height)")
        }
        if let thumbnailTime { parts.append("time=\(thumbnailTime)") }
        return parts.joined(separator: ";")
    }
}
