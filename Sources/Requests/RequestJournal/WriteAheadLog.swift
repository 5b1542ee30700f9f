import LinuxIO
import NotificationModel

/// The frames of an SQLite write-ahead log, as far as they can be read (sqlite.org/fileformat2.html, "The Write-Ahead
/// Log").
///
/// SQLite uses the frames up to the last commit before the first invalid frame, and ignores the rest silently. Frames
/// with other salts than the header's come from before a checkpoint, and are not damage. Frames without a commit are
/// not damage either, because an unfinished transaction leaves them.
struct WriteAheadLog: Equatable {
    private static let headerBytes = 32
    private static let frameHeaderBytes = 24

    /// The size of the file, in bytes.
    private(set) var byteCount = 0
    /// The salts of the header; `nil` if the header is invalid, in which case SQLite uses no frame.
    private(set) var salts: [UInt8]?
    /// The number of frames in the file that have the header's salts.
    private(set) var frames = 0
    /// The number of frames that SQLite uses.
    private(set) var committedFrames = 0
    /// The number of frames that end a transaction and that SQLite does not use.
    private(set) var lostCommits = 0

    /// Creates the content of a missing log.
    init() {}

    init(_ file: MediaFile) throws(SystemError) {
        byteCount = try FileSystem.size(of: file)
        let header = try FileSystem.bytes(of: file, at: 0, count: Self.headerBytes)
        guard let format = Format(header) else { return }
        let salts = Array(header[16..<24])
        self.salts = salts
        var checksum = format.checksum
        // The number of valid frames before the first invalid frame.
        var soundFrames = 0
        var isSound = true
        let wholeBytes = Self.frameHeaderBytes + format.pageBytes
        for offset in stride(from: Self.headerBytes, to: byteCount, by: wholeBytes) {
            let frame = try FileSystem.bytes(of: file, at: offset, count: isSound ? wholeBytes : Self.frameHeaderBytes)
            let isOfHeader = frame.count >= Self.frameHeaderBytes && frame[8..<16].elementsEqual(salts)
            if isOfHeader { frames += 1 }
            if isSound, isOfHeader, frame.count == wholeBytes {
                checksum.add(frame[..<8])
                checksum.add(frame[Self.frameHeaderBytes...])
                isSound = frame.bigEndian(at: 0) != 0 && checksum.isStored(in: frame, at: 16)
            } else {
                isSound = false
            }
            let isCommit = isOfHeader && frame.bigEndian(at: 4) != 0
            if isSound {
                soundFrames += 1
                if isCommit { committedFrames = soundFrames }
            } else if isCommit {
                lostCommits += 1
            }
        }
    }

    /// The fields of the header that apply to all frames.
    private struct Format {
        let pageBytes: Int
        /// The checksum of the header, which the checksum of the first frame continues.
        let checksum: Checksum

        init?(_ header: [UInt8]) {
            guard header.count == headerBytes, header.bigEndian(at: 0) & ~1 == 0x377F_0682 else { return nil }
            pageBytes = Int(header.bigEndian(at: 8))
            guard (512...65_536).contains(pageBytes), pageBytes.nonzeroBitCount == 1 else { return nil }
            var checksum = Checksum(isBigEndian: header.bigEndian(at: 0) & 1 == 1)
            checksum.add(header[..<24])
            guard checksum.isStored(in: header, at: 24) else { return nil }
            self.checksum = checksum
        }
    }
}

extension WriteAheadLog {
    /// The checksum of the WAL format (sqlite.org/fileformat2.html §4.2), in the byte order of the creating machine.
    struct Checksum: Equatable {
        let isBigEndian: Bool
        private(set) var sums: (UInt32, UInt32) = (0, 0)

        init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

        static func == (left: Checksum, right: Checksum) -> Bool { left.sums == right.sums }

        /// Adds bytes, whose number is a multiple of 8, to the checksum.
        mutating func add(_ bytes: ArraySlice<UInt8>) {
            for offset in stride(from: bytes.startIndex, to: bytes.endIndex, by: 8) {
                sums.0 &+= word(bytes, offset) &+ sums.1
                sums.1 &+= word(bytes, offset + 4) &+ sums.0
            }
        }

        /// Returns whether the file contains this checksum at an offset. Stored checksums are always big-endian.
        func isStored(in bytes: [UInt8], at offset: Int) -> Bool {
            (bytes.bigEndian(at: offset), bytes.bigEndian(at: offset + 4)) == sums
        }

        private func word(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> UInt32 {
            let word = bytes.bigEndian(at: offset)
            return isBigEndian ? word : word.byteSwapped
        }
    }

    /// The state of a write-ahead log that SQLite stores in `-shm`. The file outlives the process. After a power cut,
    /// the file may be older than the log. Such a file is of no use.
    struct Index: Equatable {
        let salts: [UInt8]
        /// The number of frames up to the last commit.
        let committedFrames: Int
        /// The number of frames that are also in the database.
        let checkpointedFrames: Int
    }
}

extension WriteAheadLog.Index {
    /// Reads the state from the first 100 bytes of the file: `WalIndexHdr` twice, and the first number of
    /// `WalCkptInfo`. Returns `nil` if the state is invalid.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 100, bytes[..<48].elementsEqual(bytes[48..<96]), bytes[12] != 0 else { return nil }
        var checksum = WriteAheadLog.Checksum(isBigEndian: false)
        checksum.add(bytes[..<40])
        // All fields except the salts have the byte order of this machine, which is little-endian.
        let stored = (bytes.bigEndian(at: 40).byteSwapped, bytes.bigEndian(at: 44).byteSwapped)
        guard stored == checksum.sums else { return nil }
        salts = Array(bytes[32..<40])
        committedFrames = Int(bytes.bigEndian(at: 16).byteSwapped)
        checkpointedFrames = Int(bytes.bigEndian(at: 96).byteSwapped)
    }
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// Returns four bytes as a big-endian number. The collection must contain them.
    fileprivate func bigEndian(at offset: Int) -> UInt32 {
        self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
