/// One picture and the longest side of its thumbnail.
struct PictureCase: Sendable {
    /// `--only` knows it by that.
    let group: String
    let input: InputPicture
    let side: Int
    /// The most of libvips' processor time that it may take; `nil`: told, without a promise.
    let target: Double?

    var name: String { "\(input.words) → \(side)" }

    /// The rows of the targets that are about pictures.
    static let all = [
        PictureCase(group: "jpeg", input: .baseline, side: 1_024, target: 0.70),
        PictureCase(group: "jpeg", input: .baseline, side: 512, target: 0.80),
        PictureCase(group: "jpeg", input: .baseline, side: 256, target: 0.85),
        PictureCase(group: "jpeg", input: .photo, side: 512, target: nil),
        PictureCase(group: "progressive", input: .progressive, side: 512, target: 0.15),
        PictureCase(group: "progressive", input: .progressive, side: 256, target: 0.08),
        PictureCase(group: "png", input: .png, side: 512, target: 1.0),
        PictureCase(group: "gif", input: .gif, side: 512, target: 0.4),
        PictureCase(group: "avif", input: .avif, side: 512, target: 0.6),
        PictureCase(group: "heic", input: .heic, side: 512, target: 0.4),
        PictureCase(group: "webp", input: .webp, side: 512, target: 1.2),
    ]
}
