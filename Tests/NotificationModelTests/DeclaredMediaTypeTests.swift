import NotificationModel
import Testing

@Suite struct DeclaredMediaTypeTests {
    @Test(
        arguments: [
            (.mimeType("image/jpeg"), "image/jpeg", true), (.mimeType("IMAGE/JPG"), "image/jpeg", true),
            (.mimeType("image/jpeg; q=1"), "image/jpeg", true), (.mimeType("image/png"), "image/jpeg", false),
            (.mimeType("nonsense"), "image/jpeg", false), (.mimeType(""), "image/jpeg", false),
            (.mimeType("image/x-png"), "image/png", true), (.mimeType("image/heif"), "image/heic", true),
            (.mimeType("audio/vnd.wave"), "audio/wav", true), (.fileExtension("svg"), "image/svg+xml", true),
            (.fileExtension("jpg"), "image/jpeg", true), (.fileExtension("JPEG"), "image/jpeg", true),
            (.fileExtension("png"), "image/jpeg", false), (.fileExtension("xyz"), "image/jpeg", nil),
            (.mediaClass("image"), "image/webp", true), (.mediaClass("Video"), "image/webp", false),
            (.mediaClass("gif"), "image/gif", true), (.mediaClass("gif"), "image/png", false),
            (.mediaClass("hologram"), "image/gif", nil),
        ] as [(DeclaredMediaType, String, Bool?)])
    func `the check of a declared type reports an agreement, a contradiction or an unknown type`(
        declared: DeclaredMediaType, type: String, agrees: Bool?
    ) {
        #expect(declared.agrees(withMIMEType: type) == agrees)
    }
}
