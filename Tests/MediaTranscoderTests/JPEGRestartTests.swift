import Base
import TestSupport
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of JPEGs whose restart markers are wrong, missing, or after stray bytes. A decoder continues at the next
/// marker (ITU-T T.81, F.1.1.5.2; libjpeg's jdmarker.c).
@Suite struct JPEGRestartTests {
    private let whole: [UInt8]
    /// The offsets of the restart markers, in bytes.
    private let markers: [Int]

    init() throws {
        let bytes = try Fixtures.bytes("damaged/jpeg-restarts.jpg")
        let scan = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
        let places = (scan..<bytes.count - 1).filter { bytes[$0] == 0xFF && (0xD0...0xD7).contains(bytes[$0 + 1]) }
        try #require(places.count > 8)
        (whole, markers) = (bytes, places)
    }

    private func shown(_ bytes: [UInt8]) throws -> (rows: [[UInt8]], damage: Int?) {
        var order = Workbench.order(.attachment, 1_024)
        order.jpegQuality = 100
        let outcome = Workbench.run(bytes, as: .jpeg, [order], showsDamage: true)
        let report = try #require(outcome.reports.first, "\(outcome.reply) of \(bytes.count) bytes")
        return (try Workbench.rows(of: outcome.outputs[0], as: .jpeg), report.damage.map { Int($0.rows) })
    }

    /// Returns the number of rows that equal those of the intact image.
    private func sameRows(_ rows: [[UInt8]]) throws -> Int {
        let other = try Workbench.rows(of: whole, as: .jpeg)
        return zip(rows, other).count { row, other in
            zip(row, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) } <= 3 * row.count
        }
    }

    @Test(arguments: [
        [UInt8](repeating: 0, count: 200), [0x55, 0x55, 0x55, 0x55, 0x55, 0x55], [0xFF, 0xFF, 0xFF], [7],
    ])
    func `the stray bytes before a restart marker do not change the image`(_ stray: [UInt8]) throws {
        for place in markers {
            let (rows, damage) = try shown(Array(whole[..<place]) + stray + whole[place...])
            #expect(damage ?? 100 == 100, "\(place)")
            #expect(try sameRows(rows) == rows.count, "\(place)")
        }
    }

    @Test func `a restart marker with a wrong number does not change the image`() throws {
        for place in markers {
            var bytes = whole
            bytes[place + 1] = 0xD0 + (bytes[place + 1] - 0xD0 + 4) % 8
            let (rows, damage) = try shown(bytes)
            #expect(damage ?? 100 == 100, "\(place)")
            #expect(try sameRows(rows) == rows.count, "\(place)")
        }
    }

    @Test func `a missing restart marker damages only the blocks after it`() throws {
        for place in markers.dropLast() {
            let (rows, damage) = try shown(Array(whole[..<place]) + whole[(place + 2)...])
            let same = try sameRows(rows)
            #expect(same >= rows.count * 8 / 10, "\(place): \(same)")
            #expect(abs((damage ?? 100) * rows.count / 100 - same) <= 24, "\(place): \(same), \(damage ?? -1)")
        }
    }

    @Test func `the damage between two restart markers is limited to the blocks between them`() throws {
        for (first, second) in zip(markers, markers.dropFirst()) {
            var bytes = whole
            // After 0xFF the changed byte would be a marker.
            for place in (first + 2)..<second where place % 2 == 0 && bytes[place - 1] != 0xFF { bytes[place] = 0x11 }
            let (rows, _) = try shown(bytes)
            let same = try sameRows(rows)
            #expect(same >= rows.count * 8 / 10, "\(first): \(same)")
        }
    }

    @Test(arguments: [0xFE, 0xE0, 0xE1, 0xE2, 0xED, 0xEE], [0, 1])
    func `a JPEG segment whose declared length is less than 2 is read as empty`(_ marker: Int, _ length: UInt8) throws {
        let bytes = [0xFF, 0xD8, 0xFF, UInt8(marker), 0, length] + whole[2...]
        let (rows, damage) = try shown(bytes)
        #expect(damage ?? 100 == 100)
        #expect(try sameRows(rows) == rows.count)
    }
}
