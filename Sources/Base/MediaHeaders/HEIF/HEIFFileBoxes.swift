/// The boxes at the top level of a HEIF file. Media data may precede the meta box; the walk skips them.
struct HEIFFileBoxes {
    /// The body of the first meta box for images, with version and flags; `nil` if none exists.
    private(set) var meta: Range<Int>?
    private(set) var hasTrack = false
    /// The body of the movie box, which has the tracks; `nil` if the file has no track.
    private(set) var movie: Range<Int>?
    /// Whether the file ends inside a box.
    private(set) var isCut = false
    /// Whether the file has the minimized box, which replaces all other boxes (ISO 23008-12, third edition).
    private(set) var isMinimized = false

    /// Walks the boxes at the top level.
    ///
    /// - Throws: `malformed`, or `truncated` inside the meta box.
    init(_ bytes: Span<UInt8>) throws(MediaHeaderError) {
        var boxes = ISOBoxes(0..<bytes.count)
        while let box = try nextBox(&boxes, of: bytes) {
            isCut = isCut || box.isCut
            switch box.type {
            case "meta" where meta == nil:
                guard !box.isCut else { throw .truncated("the HEIF meta box") }
                if try Self.isForImages(box.body, of: bytes) { meta = box.body }
            case "moov" where !hasTrack && !box.isCut:
                var children = ISOBoxes(box.body)
                while !hasTrack, let child = try children.nextWhole(of: bytes) { hasTrack = child.type == "trak" }
                if hasTrack { movie = box.body }
            case "mini": isMinimized = true
            default: break
            }
        }
    }

    /// Returns the next box; `nil` at the end of the file.
    ///
    /// Some cameras append bytes that are no boxes. After the meta box, such bytes end the walk without an error.
    private mutating func nextBox(_ boxes: inout ISOBoxes, of bytes: Span<UInt8>) throws(MediaHeaderError) -> ISOBox? {
        let before = boxes
        do throws(MediaHeaderError) {
            guard let box = try boxes.next(of: bytes) else {
                // The rest is shorter than a box header. The file was cut there, or bytes were appended to it.
                isCut = isCut || !before.isAtEnd
                return nil
            }
            if box.type.isPrintable { return box }
            guard meta != nil else { throw .malformed("HEIF box \(box.type.text)") }
            return nil
        } catch {
            guard meta != nil else { throw error }
            return nil
        }
    }

    /// Returns whether a meta box is for images, and not for other metadata, by its handler (ISO 14496-12, 8.4.3).
    private static func isForImages(_ meta: Range<Int>, of bytes: Span<UInt8>) throws(MediaHeaderError) -> Bool {
        guard meta.count > 4 else { throw .malformed("HEIF meta box") }
        var boxes = ISOBoxes(meta.lowerBound + 4..<meta.upperBound)
        while let box = try boxes.nextWhole(of: bytes) {
            guard box.type == "hdlr" else { continue }
            var fields = ISOFields(box.body, part: "HEIF handler")
            try fields.skip(8)
            return try fields.code(of: bytes) == "pict"
        }
        return false
    }
}
