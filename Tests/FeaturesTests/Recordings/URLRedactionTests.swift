import Features
import Testing

struct URLRedactionTests {
    @Test(
        arguments: [
            ("https://cdn.example/a.jpg", "https://cdn.example/a.jpg"),
            ("https://cdn.example/a.jpg?token=s3cret", "https://cdn.example/a.jpg"),
            ("https://cdn.example/a.jpg?w=300&sig=s3cret&h=200", "https://cdn.example/a.jpg?w=300&h=200"),
            ("https://cdn.example/a.jpg?w=s3cretS3cretS3cretS3cret", "https://cdn.example/a.jpg"),
            ("https://cdn.example/a.jpg#s3cret", "https://cdn.example/a.jpg"),
            ("https://anna:s3cret@cdn.example/a.jpg", "https://redacted@cdn.example/a.jpg"),
            ("https://cdn.example/s3cretS3cretS3cret99/a.jpg", "https://cdn.example/token-1/a.jpg"),
            ("https://cdn.example/s3cretS3cretS3cret99.jpg", "https://cdn.example/token-1.jpg"),
            (
                "https://cdn.example/0f8fad5b-d9cb-469f-a165-70867728950e/a.jpg", "https://cdn.example/token-1/a.jpg"
            ),
            (
                "https://cdn.example/summer-sale-2026-banner-1200x628.jpg",
                "https://cdn.example/summer-sale-2026-banner-1200x628.jpg"
            ),
            ("https://cdn.example", "https://cdn.example/"),
            ("images/a.jpg?token=s3cret", "images/a.jpg"),
        ])
    func `a URL keeps its host and its path, and loses its secrets`(url: String, redacted: String) {
        var redaction = URLRedaction()
        #expect(redaction.url(url) == redacted)
        #expect(redaction.url(url) == redacted)
    }

    @Test func `URLs that differ in a secret stay different, and equal URLs stay equal`() {
        var redaction = URLRedaction()
        let urls = ["https://a.example/i?id=1", "https://a.example/i?id=2", "https://a.example/i?id=1"]
        #expect(
            urls.map { redaction.url($0) } == ["https://a.example/i", "https://a.example/2/i", "https://a.example/i"])
    }

    @Test func `the URLs in a sentence lose their secrets, and its words stay`() {
        var redaction = URLRedaction()
        let text = "Pay at https://pay.example/i?code=s3cret today, Anna"
        #expect(redaction.text(text) == "Pay at https://pay.example/i today, Anna")
    }
}
