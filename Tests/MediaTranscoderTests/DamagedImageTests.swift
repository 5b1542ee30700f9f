import Base
import TestSupport
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of damaged images that are shown as far as they can be decoded.
struct DamagedImageTests {
    private static func run(
        _ bytes: [UInt8], as format: MediaFormat, side: UInt32 = 1_024, showsDamage: Bool = true
    ) -> Workbench.Outcome {
        var order = Workbench.order(.attachment, side)
        order.jpegQuality = 100
        return Workbench.run(bytes, as: format, [order], showsDamage: showsDamage)
    }

    @Test(arguments: DamagedFile.all)
    func `a damaged image is shown if half of its rows can be decoded`(_ file: DamagedFile) throws {
        let outcome = try Self.run(file.bytes(), as: file.format)
        guard file.isShown else {
            #expect(outcome.failure == .corrupt)
            return
        }
        let damage = try #require(outcome.reports.first?.damage)
        #expect(abs(Int(damage.rows) - file.rows) <= 2, "\(damage.rows) of \(file.rows)")
        #expect((damage.rows == 100) == (file.rows == 100))
        #expect(damage.frames == file.frames)
    }

    @Test(arguments: DamagedFile.all)
    func `a damaged image is refused if the job does not accept damage`(_ file: DamagedFile) throws {
        #expect(try Self.run(file.bytes(), as: file.format, showsDamage: false).failure == .corrupt)
    }

    @Test(arguments: DamagedFile.wholes)
    func `an intact image has no damage`(_ name: String) throws {
        let format: MediaFormat = name.hasSuffix("png") ? .png : name.hasSuffix("gif") ? .gif : .jpeg
        let report = try #require(Self.run(Fixtures.bytes("damaged/\(name)"), as: format).reports.first)
        #expect(report.damage == nil)
    }

    @Test(arguments: DamagedFile.shown.filter { $0.frames == nil })
    func `the intact rows of a damaged image equal the same rows of the intact image`(_ file: DamagedFile) throws {
        let outcome = try Self.run(file.bytes(), as: file.format)
        let rows = try Workbench.rows(of: outcome.outputs[0], as: file.format == .jpeg ? .jpeg : .png)
        let whole = try Workbench.rows(of: file.wholeBytes(), as: file.format)
        #expect(rows.count == whole.count)
        let count = file.rows * rows.count / 100
        // The rows of a file with only DC coefficients differ from the intact image. The test checks only the number of
        // these rows.
        guard !file.file.contains("means") else { return }
        let isInterlaced = file.file.contains("interlaced")
        for row in rows.indices {
            // The chroma of the last row before the filled rows is mixed with that of the filled rows.
            let isThere = isInterlaced ? row % 2 == 0 || row < 2 * count - rows.count - 2 : row < count - 1
            if isThere { #expect(Self.difference(rows[row], whole[row]) <= 3, "row \(row)") }
            let isRepeated = isInterlaced && row % 2 == 1 && row > 2 * count - rows.count + 4
            if isRepeated { #expect(rows[row] == rows[row - 1], "row \(row)") }
        }
    }

    @Test(arguments: DamagedFile.shown.filter { $0.rows < 100 && !$0.file.contains("interlaced") })
    func `the missing rows of a damaged image have the mean of the eight rows above them`(_ file: DamagedFile) throws {
        let outcome = try Self.run(file.bytes(), as: file.format)
        let isJPEG = file.format == .jpeg
        let rows = try Workbench.rows(of: outcome.outputs[0], as: isJPEG ? .jpeg : .png)
        // The first filled row is the first one from which all rows have the same color.
        let first = try #require(
            rows.indices.first { row in rows[row...].allSatisfy { Self.difference($0, rows[rows.count - 1]) <= 1 } })
        #expect(abs(first * 100 / rows.count - file.rows) <= 2)
        let columns = rows[0].count / 4
        let mean = (0..<4).map { channel in
            let sum = rows[first - 8..<first].reduce(0) { sum, row in
                sum + (0..<columns).reduce(0) { $0 + Int(row[$1 * 4 + channel]) }
            }
            return sum / (8 * columns)
        }
        for row in rows[(first + 2)...] {
            for column in 0..<columns {
                for channel in 0..<4 {
                    #expect(abs(Int(row[column * 4 + channel]) - mean[channel]) <= (isJPEG ? 3 : 1))
                }
            }
        }
    }

    @Test func `the same rows are missing if a damaged JPEG is halved during decoding`() throws {
        let file = try #require(DamagedFile.all.first { $0.file == "jpeg-420-cut-81.jpg" })
        for side: UInt32 in [100, 50, 25] {
            let outcome = try Self.run(file.bytes(), as: .jpeg, side: side)
            #expect(outcome.reports.first?.damage == SourceDamage(rows: 80))
            let rows = try Workbench.rows(of: outcome.outputs[0], as: .jpeg)
            #expect(Self.difference(rows[rows.count - 1], rows[rows.count * 9 / 10]) <= 2)
        }
    }

    @Test func `the complete frames of a truncated animation become an animation`() throws {
        let bytes = try Fixtures.bytes("damaged/animation-cut-in-frame-3.gif")
        let outcome = Self.run(bytes, as: .gif)
        #expect(outcome.reports.first?.frames == 2)
        let again = Self.run(outcome.outputs[0], as: .gif, showsDamage: false)
        #expect(again.outputs[0] == outcome.outputs[0])
        let video = Workbench.run(
            bytes, as: .gif, [Workbench.order(.attachment, 1_024, imageBytes: 1_000)], showsDamage: true)
        #expect(video.reports.first?.format == .mp4)
        #expect(video.reports.first?.frames == 2)
        #expect(video.reports.first?.damage == SourceDamage(rows: 100, frames: 2))
    }

    @Test func `a changed byte does not cause an internal failure`() throws {
        var random = SeededGenerator(seed: 3)
        for file in DamagedFile.all {
            let damaged = try file.bytes()
            for _ in 0..<12 {
                var bytes = damaged
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                let outcome = Self.run(bytes, as: file.format, side: 64)
                if let damage = outcome.reports.first?.damage { #expect((50...100).contains(damage.rows)) }
                #expect(outcome.failure != .internalFault)
            }
        }
    }

    /// Returns the mean difference of two rows, in levels. The color of a transparent pixel does not count.
    private static func difference(_ one: [UInt8], _ other: [UInt8]) -> Double {
        guard one.count == other.count else { return .infinity }
        func level(_ row: [UInt8], _ offset: Int) -> Int {
            offset % 4 == 3 ? Int(row[offset]) : Int(row[offset]) * Int(row[offset | 3]) / 255
        }
        return Double(one.indices.reduce(0) { $0 + abs(level(one, $1) - level(other, $1)) }) / Double(one.count)
    }
}
