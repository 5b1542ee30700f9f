import Base

/// An input image and the longest side of its thumbnail.
struct ImageCase: Sendable {
    /// The name of the group for `--only`.
    let group: String
    let input: InputImage
    let side: Int
    /// The largest ratio to libvips' processor time; `nil` if the ratio is reported without a target.
    let target: Double?

    var name: String { "\(input.words) → \(side)" }

    /// The cases for images in the table of targets.
    static let all = [
        ImageCase(group: "jpeg", input: .baseline, side: 1_024, target: 0.70),
        ImageCase(group: "jpeg", input: .baseline, side: 512, target: 0.80),
        ImageCase(group: "jpeg", input: .baseline, side: 256, target: 0.85),
        ImageCase(group: "jpeg", input: .photo, side: 512, target: nil),
        ImageCase(group: "progressive", input: .progressive, side: 512, target: 0.15),
        ImageCase(group: "progressive", input: .progressive, side: 256, target: 0.08),
        ImageCase(group: "png", input: .png, side: 512, target: 1.0),
        ImageCase(group: "gif", input: .gif, side: 512, target: 0.4),
        ImageCase(group: "avif", input: .avif, side: 512, target: 0.6),
        ImageCase(group: "heic", input: .heic, side: 512, target: 0.4),
        ImageCase(group: "webp", input: .webp, side: 512, target: 1.2),
    ]
}
