import NotificationModel
import Testing

/// Tests of previews. Their hashes were made with the PyPI package `blurhash` 1.1.5.
struct ImagePreviewTests {
    private static let hash = "LxKTh:QOaitcQ,}PoJI]aeoJjta#"

    private static let right = [
        hash, "Ti99leKFn{ibayfTdGe@fTlJbcfM", "L00000fQfQfQfQfQfQfQfQfQfQfQ", "00TSUA",
        "|" + String(repeating: "0", count: 165),
    ]

    @Test(arguments: right)
    func `a BlurHash may have any number of components`(_ text: String) {
        #expect(ImagePreview(blurhash: text, dominantColor: nil)?.blurhash == text)
    }

    private static let wrong: [String] = [
        "", "L", "LxKTh", "LxKTh:", String(hash.dropLast()), hash + "0", hash + "00", "M" + hash.dropFirst(),
        "}" + hash.dropFirst() + String(repeating: "0", count: 140), hash.replacing(":", with: "\""),
        hash.replacing(":", with: "<"), hash.replacing(":", with: " "), hash.replacing(":", with: "\u{0}"),
        hash.replacing(":", with: "é"), String(repeating: "é", count: 14),
        // The first mean color is brighter than white. The other two have a component above the last of nineteen
        // levels.
        "LxTSUB" + hash.dropFirst(6), hash.dropLast(2) + "~r", "LxKTh:~~" + hash.dropFirst(8),
    ]

    @Test(arguments: wrong)
    func `a malformed BlurHash is refused`(_ text: String) {
        #expect(ImagePreview(blurhash: text, dominantColor: nil) == nil)
    }

    @Test(arguments: ["#000000", "#7a8f3c", "#ffffff"])
    func `a color has six lower-case digits`(_ text: String) {
        #expect(ImagePreview(blurhash: Self.hash, dominantColor: text)?.dominantColor == text)
    }

    @Test(arguments: [
        "", "#", "#7a8f3", "#7a8f3c0", "7a8f3c", "7a8f3c0", "#7A8F3C", "#7a8f3g", "#7a8f3 ", "#éaaaa", "red",
    ])
    func `a malformed color is refused`(_ text: String) {
        #expect(ImagePreview(blurhash: Self.hash, dominantColor: text) == nil)
    }
}
