import NotificationModel
import NotificationProcessor
import Testing

@Suite struct PhoneRefusalTests {
    /// Apple's table with the public MIME types; the sizes are in bytes.
    private static let table = [
        ("image/jpeg", 10 << 20), ("image/gif", 10 << 20), ("image/png", 10 << 20), ("audio/aiff", 5 << 20),
        ("audio/wav", 5 << 20), ("audio/mpeg", 5 << 20), ("audio/mp4", 5 << 20), ("video/mpeg", 50 << 20),
        ("video/mp4", 50 << 20), ("video/x-msvideo", 50 << 20),
    ]

    @Test(arguments: table)
    func `a phone accepts a file of a supported type up to the size limit of the type`(type: String, cap: Int) {
        #expect(PhoneRefusal.code(sourceType: type, byteCount: 1) == nil)
        #expect(PhoneRefusal.code(sourceType: type, byteCount: cap) == nil)
        #expect(PhoneRefusal.code(sourceType: type, byteCount: cap + 1) == .attachmentInvalidFileSize)
    }

    @Test(
        arguments: [
            nil, "", "image/heic", "image/webp", "image/avif", "image/tiff", "image/bmp", "image/svg+xml",
            "video/quicktime", "video/webm", "video/x-matroska", "video/mp2t", "audio/ogg", "audio/flac", "text/html",
            "application/pdf", "image/*", "IMAGE",
        ] as [String?])
    func `a phone refuses a file of an unsupported type and of any size as unrecognised`(type: String?) {
        for byteCount in [1, 100 << 20] {
            #expect(PhoneRefusal.code(sourceType: type, byteCount: byteCount) == .attachmentUnrecognizedType)
        }
    }
}
