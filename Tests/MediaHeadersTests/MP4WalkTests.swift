import MediaHeaders
import Testing

/// Tests of the limits for the entries that an MP4's tables declare.
@Suite struct MP4WalkTests {
    private static func big(_ value: Int) -> [UInt8] { SampleHEIF.big(value, 4) }

    private static func box(_ type: String, _ children: [UInt8]...) -> [UInt8] {
        SampleHEIF.box(type, Array(children.joined()))
    }

    /// Returns a table that declares rows, but contains no row.
    private static func table(_ type: String, _ rows: Int, _ rest: [UInt8] = []) -> [UInt8] {
        SampleHEIF.full(type, 0, big(rows) + rest)
    }

    /// Returns a table of sample sizes with one common size, or with a size for each sample if `size` is 0.
    private static func sizes(_ count: Int, each size: Int = 0) -> [UInt8] {
        SampleHEIF.full("stsz", 0, big(size) + big(count))
    }

    private static func track(_ tables: [UInt8]..., edits: [UInt8] = [], handler: String = "vide") -> [UInt8] {
        let hdlr = SampleHEIF.full("hdlr", 0, big(0) + Array(handler.utf8))
        let media = box("mdia", hdlr, box("minf", box("stbl", Array(tables.joined()))))
        return box("trak", box("edts", edits), media)
    }

    private static func file(_ boxes: [UInt8]...) -> [UInt8] {
        box("ftyp", Array("isom".utf8), big(512)) + box("moov", Array(boxes.joined()))
    }

    private static func error(_ bytes: [UInt8]) -> MediaHeaderError? {
        do throws(MediaHeaderError) {
            try MP4Walk.check(bytes.span)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        "video-1080p.mp4", "video-moov-last.mp4", "video-rotated.mp4", "video-silent.mp4", "coach/week3.mp4",
    ])
    func `a real video is within the limits`(_ name: String) {
        let bytes = SampleFile.fixture(name)
        #expect(bytes.count > 1_000)
        #expect(Self.error(bytes) == nil)
    }

    @Test func `the frames of all tracks are counted once for each edit`() {
        #expect(Self.error(Self.file(Self.track(Self.sizes(500_000, each: 9)))) == nil)
        #expect(Self.error(Self.file(Self.track(Self.sizes(500_001, each: 9)))) == .excessive("MP4 frames"))
        let half = Self.track(Self.sizes(250_001, each: 9))
        #expect(Self.error(Self.file(half, half)) == .excessive("MP4 frames"))
        let edited = Self.track(Self.sizes(1_000), edits: Self.table("elst", 501))
        #expect(Self.error(Self.file(edited)) == .excessive("MP4 frames"))
        #expect(Self.error(Self.file(Self.track(Self.sizes(.init(UInt32.max), each: 9)))) == .excessive("MP4 frames"))
    }

    @Test func `a track of uncompressed sound is counted by its chunks, and not by its samples`() {
        let times = Self.table("stts", 1, Self.big(28_800_000) + Self.big(1))
        let tables = times + Self.sizes(28_800_000, each: 4) + Self.table("stco", 600)
        #expect(Self.error(Self.file(Self.track(tables, handler: "soun"))) == nil)
        #expect(Self.error(Self.file(Self.track(tables))) == .excessive("MP4 frames"))
    }

    @Test(arguments: ["stts", "ctts", "stsc", "stss", "stco", "co64"])
    func `the number of table rows is bounded`(_ type: String) {
        #expect(Self.error(Self.file(Self.track(Self.table(type, 2_000_000)))) == nil)
        #expect(Self.error(Self.file(Self.track(Self.table(type, 2_000_001)))) == .excessive("rows of MP4 tables"))
    }

    @Test(arguments: [0, 1])
    func `the row count of a sample group is read after the grouping type`(_ version: Int) {
        let groups = { (count: Int) in
            let kind = Array("roll".utf8) + (version == 0 ? [] : Self.big(0))
            return Self.file(Self.track(SampleHEIF.full("sbgp", version, kind + Self.big(count))))
        }
        #expect(Self.error(groups(2_000_000)) == nil)
        #expect(Self.error(groups(2_000_001)) == .excessive("rows of MP4 tables"))
    }

    @Test func `the frames of fragments are counted even if their table entries have no fields`() {
        let fragment = { (count: Int) in Self.box("moof", Self.box("traf", Self.table("trun", count))) }
        #expect(Self.error(Self.file() + fragment(500_000)) == nil)
        #expect(Self.error(Self.file() + fragment(250_001) + fragment(250_000)) == .excessive("MP4 frames"))
    }

    @Test func `the numbers of tracks, boxes and nested boxes are bounded`() {
        let tracks = { (count: Int) in Self.file(Array((0..<count).map { _ in Self.track() }.joined())) }
        #expect(Self.error(tracks(64)) == nil)
        #expect(Self.error(tracks(65)) == .excessive("MP4 tracks"))
        let boxes = { (count: Int) in Array((0..<count).map { _ in Self.box("free") }.joined()) }
        #expect(Self.error(boxes(65_536)) == nil)
        #expect(Self.error(boxes(65_537)) == .excessive("MP4 boxes"))
        let deep = { (depth: Int) in (0..<depth).reduce([]) { inner, _ in Self.box("moof", inner) } }
        #expect(Self.error(deep(15)) == nil)
        #expect(Self.error(deep(16)) == .excessive("MP4 boxes in boxes"))
    }

    @Test func `an MP4 with a compressed header is refused`() {
        #expect(Self.error(Self.file(Self.box("cmov"))) == .unsupported("MP4 with a compressed header"))
    }

    @Test func `the parser accepts a damaged MP4 file and each prefix of an MP4 file`() {
        let bytes = SampleFile.fixture("video-silent.mp4")
        for length in stride(from: 0, to: min(bytes.count, 4_000), by: 7) {
            #expect(Self.error(Array(bytes.prefix(length))) == nil)
        }
        #expect(Self.error(Self.file(Self.table("stts", 1)) + [0, 0, 0, 3] + Array("moov".utf8)) == nil)
    }
}
