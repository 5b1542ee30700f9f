import NotificationModel
import Testing

/// The hashes were made with the PyPI package `blurhash` 1.1.5.
struct ImagePreviewTests {
    private static let hash = "LxKTh:QOaitcQ,}PoJI]aeoJjta#"

    private static let right = [
        hash, "Ti99leKFn{ibayfTdGe@fTlJbcfM", "L00000fQfQfQfQfQfQfQfQfQfQfQ", "00TSUA",
        "|" + String(repeating: "0", count: 165),
    ]

    @Test(arguments: right)
    func `a BlurHash of any number of components is one`(_ text: String) {
        #expect(ImagePreview(blurhash: text, dominantColor: nil)?.blurhash == text)
    }

    private static let wrong: [String] = [
        "", "L", "LxKTh", "LxKTh:", String(hash.dropLast()), hash + "0", hash + "00", "M" + hash.dropFirst(),
        "}" + hash.dropFirst() + String(repeating: "0", count: 140), hash.replacing(":", with: "\""),
        hash.replacing(":", with: "<"), hash.replacing(":", with: " "), hash.replacing(":", with: "\u{0}"),
        hash.replacing(":", with: "é"), String(repeating: "é", count: 14),
        // A mean colour past white; a component past the last of nineteen levels.
        "LxTSUB" + hash.dropFirst(6), hash.dropLast(2) + "~r", "LxKTh:~~" + hash.dropFirst(8),
    ]

    @Test(arguments: wrong)
    func `a text that no encoder writes is none`(_ text: String) {
        #expect(ImagePreview(blurhash: text, dominantColor: nil) == nil)
    }

    @Test(arguments: ["#000000", "#7a8f3c", "#ffffff"])
    func `a colour has six lower-case digits`(_ text: String) {
        #expect(ImagePreview(blurhash: Self.hash, dominantColor: text)?.dominantColor == text)
    }

    @Test(arguments: [
        "", "#", "#7a8f3", "#7a8f3c0", "7a8f3c", "7a8f3c0", "#7A8F3C", "#7a8f3g", "#7a8f3 ", "#éaaaa", "red",
    ])
    func `another colour is refused`(_ text: String) {
        #expect(ImagePreview(blurhash: Self.hash, dominantColor: text) == nil)
    }
}
