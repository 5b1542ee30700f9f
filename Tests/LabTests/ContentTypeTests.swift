import Base
import Lab
import Testing

struct ContentTypeTests {
    @Test(arguments: [
        ("photo.jpg", "image/jpeg"), ("a/b/photo.JPEG", "image/jpeg"), ("a.png", "image/png"), ("a.gif", "image/gif"),
        ("a.webp", "image/webp"), ("a.heic", "image/heic"), ("a.avif", "image/avif"), ("a.mp4", "video/mp4"),
        ("a.mov", "video/quicktime"), ("a.webm", "video/webm"), ("a.mp3", "audio/mpeg"), ("a.m4a", "audio/mp4"),
        ("a.wav", "audio/wav"), ("a.heif", "image/heif"), ("a.apng", "image/apng"), ("a.3gp", "video/3gpp"),
        ("a.awb", "audio/amr-wb"), ("a.wmv", "video/x-ms-wmv"), ("a.ico", "image/vnd.microsoft.icon"),
        ("a.mkv", "video/x-matroska"), ("a.opus", "audio/ogg"), ("a.m3u8", "application/vnd.apple.mpegurl"),
        ("a.mpd", "application/dash+xml"), ("a.jxl", "image/jxl"), ("a.xml", "application/xml"),
        ("a.json", "application/json"), ("a.html", "text/html; charset=utf-8"),
        ("a.tar.gz", "application/gzip"), ("folder.png/file", "application/octet-stream"),
        ("a.unheard-of", "application/octet-stream"), ("png", "application/octet-stream"),
        ("a.", "application/octet-stream"), ("", "application/octet-stream"),
    ])
    func `the content type follows from the extension of the file name`(path: String, type: String) {
        #expect(ContentType.named(by: path) == type)
    }

    @Test(arguments: [
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),  // the date of RFC 9110
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
    ])
    func `a date is written in the date format of HTTP`(unixTime: Int, text: String) {
        #expect(HTTPDate.text(unixTime: unixTime) == text)
    }
}
