/// What the receiving platform can show, and how large.
///
/// Sizes are pixels of the longest side after orientation; caps are bytes. The caps of `ios` are those of
/// `UNNotificationAttachment` (Apple, "UNNotificationAttachment", supported file types).
package struct MediaProfile: Sendable, Equatable {
    package let name: String
    package let pictureSide: Int
    package let videoSide: Int
    package let thumbnailSide: Int
    package let pictureBytes: Int
    package let soundBytes: Int
    package let videoBytes: Int

    package static let ios = MediaProfile(
        name: "ios", pictureSide: 1_024, videoSide: 1_280, thumbnailSide: 256, pictureBytes: 10 << 20,
        soundBytes: 5 << 20, videoBytes: 50 << 20)

    package static let all = [ios]

    package static func named(_ name: String) -> MediaProfile? { all.first { $0.name == name } }
}
