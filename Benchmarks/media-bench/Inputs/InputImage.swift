/// An input file for thumbnails.
enum InputImage: String, CaseIterable, Sendable {
    /// An image with 12 megapixels of detail.
    case baseline = "baseline.jpg"
    case progressive = "progressive.jpg"
    case avif = "picture.avif"
    case heic = "picture.heic"
    /// The fixture: a mostly blurred photograph of 12 megapixels, which is stored sideways.
    case photo = "photo.jpg"
    /// An image with 3 megapixels of the same detail.
    case png = "picture.png"
    case webp = "picture.webp"
    /// An animation with 24 frames.
    case gif = "animation.gif"

    /// The description of the file for people.
    var words: String {
        switch self {
        case .baseline: "12 MP baseline JPEG"
        case .progressive: "12 MP progressive JPEG"
        case .avif: "12 MP AVIF"
        case .heic: "12 MP HEIC"
        case .photo: "12 MP baseline JPEG of a blurred photograph, turned"
        case .png: "2000×1500 PNG"
        case .webp: "2000×1500 lossy WebP"
        case .gif: "1000×750 GIF of 24 pictures"
        }
    }
}
