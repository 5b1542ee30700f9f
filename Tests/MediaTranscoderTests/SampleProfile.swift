/// The minimal ICC profiles of the tests (ICC.1:2001), with primaries and curves.
enum SampleProfile {
    /// The primaries of sRGB, adapted to D50 as in profiles: X, Y and Z of red, green and blue as s15Fixed16Number.
    private static let primaries: [[UInt32]] = [
        [0x6FA2, 0x38F5, 0x0390], [0x6299, 0xB785, 0x18DA], [0x24A0, 0x0F84, 0xB6CF],
    ]

    /// A profile whose first channel is blue and whose last channel is red, with a gamma of 2.2.
    static let redAndBlueSwapped = rgb([2, 1, 0])
    /// A profile with almost the colors of sRGB.
    static let ordinary = rgb([0, 1, 2])

    /// A profile with a chain of processing elements (ICC.2, "mpet"), which is a matrix that changes nothing. Such a
    /// chain takes precedence over the other tags.
    static let chained = rgb(
        [0, 1, 2],
        besides: [
            (
                "D2B0",
                Array("mpet".utf8) + big(0) + big(0x0003_0003) + big(1) + big(24) + big(60)
                    + Array("matf".utf8) + big(0) + big(0x0003_0003)
                    + [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0].flatMap { big(Float($0).bitPattern) }
            )
        ])

    private static func rgb(_ order: [Int], besides: [(name: String, body: [UInt8])] = []) -> [UInt8] {
        var tags: [(name: String, body: [UInt8])] = [("wtpt", xyz([0xF6D6, 0x10000, 0xD32D]))] + besides
        for (name, primary) in zip(["rXYZ", "gXYZ", "bXYZ"], order) { tags.append((name, xyz(primaries[primary]))) }
        for name in ["rTRC", "gTRC", "bTRC"] {
            // A curve with one number of 8 + 8 bits is a gamma.
            tags.append((name, Array("curv".utf8) + big(0) + big(1) + [0x02, 0x33, 0, 0]))
        }
        var table: [UInt8] = big(UInt32(tags.count))
        var bodies: [UInt8] = []
        let start = 128 + 4 + tags.count * 12
        for tag in tags {
            table += Array(tag.name.utf8) + big(UInt32(start + bodies.count)) + big(UInt32(tag.body.count))
            bodies += tag.body
        }
        var header = [UInt8](repeating: 0, count: 128)
        header.replaceSubrange(0..<4, with: big(UInt32(start + bodies.count)))
        header.replaceSubrange(8..<12, with: big(0x0210_0000))
        header.replaceSubrange(12..<36, with: Array("mntrRGB XYZ ".utf8) + [UInt8](repeating: 0, count: 12))
        header.replaceSubrange(36..<40, with: Array("acsp".utf8))
        header.replaceSubrange(68..<80, with: [0xF6D6, 0x10000, 0xD32D].flatMap { big($0) })
        return header + table + bodies
    }

    private static func xyz(_ values: [UInt32]) -> [UInt8] {
        Array("XYZ ".utf8) + big(0) + values.flatMap { big($0) }
    }

    private static func big(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
