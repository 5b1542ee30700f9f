/// A walk that counts the entries of an MP4's tables before a demuxer reads them (ISO 14496-12).
///
/// A demuxer stores an entry for each frame and each row of a table, and repeats the frames for each edit. A few bytes
/// can declare billions of entries. The walk does not report damage. After a box that cannot be read, it continues
/// after the parent of that box, and the demuxer reports the error.
package struct MP4Walk {
    /// The maximum number of boxes. A video of ten minutes in fragments of a second has some 6,000 boxes.
    static let maxBoxes = 65_536
    static let maxTracks = 64
    /// The maximum number of frames of all tracks, counted once for each edit. Ten minutes at 240 frames per second
    /// have 144,000 frames, and a sound track of this length has 28,000.
    static let maxFrames = 500_000
    /// The maximum number of rows of all tables. There may be several rows for each frame.
    static let maxRows = 2_000_000

    private var tracks = 0
    private var frames = 0
    private var rows = 0
    private var track = MP4TrackCounts()

    /// Counts the entries of all tables.
    ///
    /// - Throws: `excessive` beyond one of the limits; `unsupported` for a compressed index.
    package static func check(_ bytes: Span<UInt8>) throws(MediaHeaderError) {
        var walk = MP4Walk()
        // The stack has the open parents, each with a flag for a track. FFmpeg reads at most ten levels.
        var parents = [(boxes: ISOBoxes(0..<bytes.count), isTrack: false)]
        var boxes = 0
        while var parent = parents.popLast() {
            guard let box = (try? parent.boxes.next(of: bytes)) ?? nil else {
                if parent.isTrack { try walk.endTrack() }
                continue
            }
            parents.append(parent)
            boxes += 1
            guard boxes <= maxBoxes else { throw .excessive("MP4 boxes") }
            if containers.contains(box.type) {
                guard parents.count < 16 else { throw .excessive("MP4 boxes in boxes") }
                if box.type == "trak" { try walk.beginTrack() }
                parents.append((ISOBoxes(children(of: box, in: bytes)), box.type == "trak"))
            } else {
                try walk.read(box, of: bytes)
            }
        }
    }

    private static let containers: Set<FourCharacterCode> = [
        "moov", "trak", "mdia", "minf", "stbl", "edts", "udta", "meta", "ilst", "mvex", "moof", "traf", "dinf",
    ]

    /// Returns the range of a container's children. A meta box has a version before them, unless QuickTime wrote it.
    private static func children(of box: ISOBox, in bytes: Span<UInt8>) -> Range<Int> {
        let hasVersion = box.type == "meta" && bytes.code(at: box.body.lowerBound + 4) != "hdlr"
        return min(box.body.lowerBound + (hasVersion ? 4 : 0), box.body.upperBound)..<box.body.upperBound
    }

    private mutating func beginTrack() throws(MediaHeaderError) {
        tracks += 1
        guard tracks <= Self.maxTracks else { throw .excessive("MP4 tracks") }
        track = MP4TrackCounts()
    }

    private mutating func endTrack() throws(MediaHeaderError) {
        try add(frames: track.entries)
        track = MP4TrackCounts()
    }

    private mutating func read(_ box: ISOBox, of bytes: Span<UInt8>) throws(MediaHeaderError) {
        let body = bytes.extracting(box.body)
        let count = body.bigEndian32(at: 4) ?? 0
        switch box.type {
        case "cmov": throw .unsupported("MP4 with a compressed header")
        case "hdlr": if body.code(at: 8) == "soun" { track.isSound = true }
        case "elst":
            track.edits = track.edits.addedOrMax(count)
            try add(rows: count)
        case "stts":
            track.hasUnitTimes = count == 1 && body.bigEndian32(at: 12) == 1
            try add(rows: count)
        case "stsz", "stz2":
            // The first field is the common size of all frames. If it is 0, there is a table of sizes.
            let samples = body.bigEndian32(at: 8) ?? 0
            track.samples = track.samples.addedOrMax(samples)
            if count == 0 || box.type == "stz2" { try add(rows: samples) }
        case "stco", "co64":
            track.chunks = track.chunks.addedOrMax(count)
            try add(rows: count)
        case "ctts", "stsc", "stss", "stps": try add(rows: count)
        // The count follows after the grouping type. In version 1, a parameter is between them.
        case "sbgp": try add(rows: body.bigEndian32(at: body.byte(at: 0) == 0 ? 8 : 12) ?? 0)
        case "trun": try add(frames: count)
        default: break
        }
    }

    private mutating func add(rows count: Int) throws(MediaHeaderError) {
        rows = rows.addedOrMax(count)
        guard rows <= Self.maxRows else { throw .excessive("rows of MP4 tables") }
    }

    private mutating func add(frames count: Int) throws(MediaHeaderError) {
        frames = frames.addedOrMax(count)
        guard frames <= Self.maxFrames else { throw .excessive("MP4 frames") }
    }
}

/// The counts that the tables of one track declare.
private struct MP4TrackCounts {
    var samples = 0
    var chunks = 0
    var edits = 0
    var isSound = false
    /// Whether each sample lasts one unit of time, as samples of uncompressed sound do.
    var hasUnitTimes = false

    /// The number of index entries that FFmpeg makes (libavformat/mov.c, `mov_build_index`), repeated for each edit.
    ///
    /// There is one entry for each sample. Uncompressed sound has one for each chunk and for each 1,024 samples.
    var entries: Int {
        let plain = isSound && hasUnitTimes ? chunks.addedOrMax(samples / 1_024) : samples
        return plain.multipliedOrMax(by: max(1, edits))
    }
}

/// The position of an MP4's index, if the first bytes of the file state it (ISO 14496-12, 4.2 and 6.3.4).
package enum MP4Layout {
    /// Returns the offset of the first byte after the media data; `nil` if the index is before them, or for no MP4.
    ///
    /// - Parameter bytes: The beginning of a file. About 100 bytes are enough.
    package static func offsetOfTail(_ bytes: Span<UInt8>) -> Int? {
        guard ["ftyp", "wide", "mdat"].contains(bytes.code(at: 4)) else { return nil }
        var offset = 0
        // Before the media data there is a file type box, and free space in some files.
        for _ in 0..<16 {
            guard let type = bytes.code(at: offset + 4), let size = size(bytes, at: offset), size >= 8 else {
                return nil
            }
            if type == "moov" || type == "moof" { return nil }
            let (end, isTooLarge) = offset.addingReportingOverflow(size)
            guard !isTooLarge else { return nil }
            if type == "mdat" { return end }
            offset = end
        }
        return nil
    }

    /// The number of bytes of the longest box header.
    package static let headerBytes = 16

    /// The size and the kind of a box, as its header states them.
    package struct Box: Equatable {
        /// The number of bytes of the box, with its header; `nil` if the box reaches to the end of the file.
        package var size: Int?
        /// Whether the box is the index of the whole video or of one fragment.
        package var isIndex: Bool
    }

    /// Reads the box header at the beginning of the bytes.
    ///
    /// - Returns: `nil` if the bytes have no complete header, or an invalid one.
    package static func box(_ bytes: Span<UInt8>) -> Box? {
        guard let type = bytes.code(at: 4), let size = size(bytes, at: 0), size == 0 || size >= 8 else { return nil }
        return Box(size: size == 0 ? nil : size, isIndex: type == "moov" || type == "moof")
    }

    /// Returns the size of a box. The size has 64 bits if the first 32 have the value 1.
    private static func size(_ bytes: Span<UInt8>, at offset: Int) -> Int? {
        let size = bytes.bigEndian32(at: offset)
        guard size == 1 else { return size }
        return bytes.bigEndian64(at: offset + 8).flatMap { (0..<1 << 48).contains($0) ? $0 : nil }
    }
}
