import Testing

@testable import MediaTranscoder

/// Against what another encoder makes of the same pixels: the PyPI package `blurhash` 1.1.5, with
/// `blurhash.encode([[picture(x, y) for x in range(width)] for y in range(height)], across, down)`.
struct BlurHashTests {
    struct Reference: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let size: (width: Int, height: Int)
        var components = (across: 4, down: 3)
        let hash: String
        /// Red, green and blue of the pixel at x and y, modulo 256.
        let picture: @Sendable (_ x: Int, _ y: Int) -> [Int]
    }

    private static let references = [
        Reference(
            testDescription: "a landscape", size: (32, 20), hash: "LiE{U#2kwsX3qJWCjwe@gEfmfTff",
            picture: { x, y in [x * 7, y * 11, x * y] }),
        Reference(
            testDescription: "a portrait", size: (20, 32), components: (3, 4), hash: "Ti99leKFn{ibayfTdGe@fTlJbcfM",
            picture: { x, y in [x * 7, y * 11, x * y] }),
        Reference(
            testDescription: "four quarters", size: (64, 48), hash: "LxKTh:QOaitcQ,}PoJI]aeoJjta#",
            picture: { x, y in
                if y < 24 {
                    x < 32 ? [230, 20, 20] : [20, 160, 40]
                } else {
                    x < 32 ? [30, 60, 220] : [250, 240, 10]
                }
            }),
        Reference(
            testDescription: "one pixel", size: (1, 1), hash: "L~M|T9}=}=}=}=}=}=}=}=}=}=}=",
            picture: { _, _ in [200, 100, 50] }),
        Reference(
            testDescription: "black", size: (8, 8), hash: "L00000fQfQfQfQfQfQfQfQfQfQfQ",
            picture: { _, _ in [0, 0, 0] }),
        Reference(
            testDescription: "white", size: (8, 8), hash: "LfTSUA~qfQ~q~qt7fQt7fQfQfQfQ",
            picture: { _, _ in [255, 255, 255] }),
        Reference(
            testDescription: "one row", size: (64, 1), hash: "L~HLu08Ux;XQ~p8Ux;XQ~p8Ux;XQ",
            picture: { x, _ in [x * 4, 255 - x * 4, 128] }),
        Reference(
            testDescription: "noise, with all components there can be", size: (64, 64), components: (9, 9),
            hash:
                "|7HLbzTtD*ToG6J8F:KIAC959eB#BOB6E|J6WXr_Q.tKOk$eXl$it1+}a~TCtwR%j;SdnjScawWEunL.conPnUTI#AS^f,qOXzV_wK"
                + "NMX7xAaOOFL+mCenVtWBngoeoaSex-b@WFjEsSR-adavt8m.S~ijrvRWjKX5xIjx",
            picture: { x, y in [x * x + y * 3, y * y * 5 + x, x * y * 7 + 13] }),
    ]

    private func samples(_ reference: Reference) -> ColorSamples {
        ColorSamples(width: reference.size.width, height: reference.size.height) { x, y in
            let color = reference.picture(x, y).map { UInt8(truncatingIfNeeded: $0) }
            return .init(red: color[0], green: color[1], blue: color[2])
        }
    }

    @Test(arguments: references)
    func `the hash is the one that others make`(_ reference: Reference) {
        let (across, down) = reference.components
        #expect(BlurHash.text(of: samples(reference), across: across, down: down) == reference.hash)
    }

    @Test(arguments: references)
    func `more components lie along the longer side`(_ reference: Reference) {
        guard reference.components.across < 9 else { return }
        #expect(BlurHash.text(of: samples(reference)) == reference.hash)
    }

    @Test func `what is transparent is white`() {
        let hidden = ColorSamples(width: 8, height: 8) { _, _ in .init(red: 9, green: 8, blue: 7, alpha: 0) }
        #expect(BlurHash.text(of: hidden) == "LfTSUA~qfQ~q~qt7fQt7fQfQfQfQ")
        let half = ColorSamples(width: 1, height: 1) { _, _ in .init(red: 145, green: 0, blue: 0, alpha: 128) }
        let mixed = ColorSamples(width: 1, height: 1) { _, _ in .init(red: 200, green: 127, blue: 127) }
        #expect(BlurHash.text(of: half) == BlurHash.text(of: mixed))
    }
}
