import NotificationModel
import Testing

@testable import Features

/// Tests of sitemaps and feeds as lists of media.
@Suite struct MediaListReaderTests {
    private static let sitemap = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- <image:loc>https://a.example/comment.jpg</image:loc> -->
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/i">
          <url>
            <loc>https://a.example/page.html</loc>
            <image:image><image:loc>https://a.example/1.jpg?a=1&amp;b=2</image:loc></image:image>
            <image:image>
              <image:loc><![CDATA[https://a.example/2.jpg?c=1&d=2]]></image:loc>
            </image:image>
            <video:video>
              <video:thumbnail_loc>https://a.example/3.jpg</video:thumbnail_loc>
              <video:content_loc>https://a.example/4.mp4</video:content_loc>
              <video:player_loc>https://a.example/player</video:player_loc>
            </video:video>
          </url>
          <url><loc>https://a.example/5.PNG?x</loc></url>
        </urlset>
        """
    private static let rss = """
        <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel>
        <image><url>https://a.example/logo.png</url></image>
        <item><enclosure url="https://a.example/1.mp3" length="1" type="audio/mpeg"/>
        <enclosure url='https://a.example/2.pdf' type='application/pdf'/>
        <media:content url="https://a.example/3.jpg?a&#38;b" medium="image"><media:thumbnail url="https://a.example/4.jpg"/>
        </media:content><media:content url="https://a.example/5.html" medium="document"/>
        <content:encoded><![CDATA[<img src="https://a.example/6.jpg">]]></content:encoded></item></channel></rss>
        """
    private static let atom = """
        <feed xmlns="http://www.w3.org/2005/Atom"><entry><link rel="alternate" href="https://a.example/page"/>
        <link rel="enclosure" type="image/jpeg" href="https://a.example/1.jpg" title="a > b"/>
        <content type="html">x</content></entry></feed>
        """

    private func entries(_ text: String, pieces: Int = 1 << 20) throws -> [MediaListReader.Entry] {
        var reader = MediaListReader()
        var entries: [MediaListReader.Entry] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            reader.append(Array(bytes[start..<min(bytes.count, start + pieces)]))
            entries += try reader.take(isAtEnd: false)
        }
        return entries + (try reader.take(isAtEnd: true))
    }

    @Test(arguments: [
        (sitemap, ["1.jpg?a=1&b=2", "2.jpg?c=1&d=2", "3.jpg", "4.mp4", "5.PNG?x"]),
        (rss, ["1.mp3", "3.jpg?a&b", "4.jpg"]), (atom, ["1.jpg"]),
    ])
    func `only the media URLs of a list are read`(_ text: String, _ names: [String]) throws {
        let expected = names.map { "https://a.example/\($0)" }
        #expect(try entries(text).map(\.url) == expected)
    }

    @Test(arguments: [1, 2, 3, 7, 64]) func `a list has the same entries for pieces of any size`(_ size: Int) throws {
        for text in [Self.sitemap, Self.rss, Self.atom] {
            #expect(try entries(text, pieces: size) == entries(text))
        }
    }

    @Test func `an entry has the number of its line`() throws {
        #expect(try entries(Self.sitemap).map(\.line) == [6, 8, 11, 12, 16])
    }

    @Test(arguments: [
        ("<sitemapindex><sitemap><loc>https://a.example/s.xml</loc></sitemap></sitemapindex>", "an index of sitemaps"),
        ("<urlset><url><loc>https://a.example/p</loc></url></urlset>", "a sitemap without media"),
        ("<rss><channel/></rss>", "a feed without media"), ("<html><img src='a'></html>", "begins with <html>"),
        ("<!DOCTYPE x>", "neither a sitemap nor a feed"),
        ("<rss><a \(String(repeating: "x", count: 70_000))", "an element has more than 64 KiB"),
        (String(repeating: "<rss>", count: 100), "its elements are too deep"),
    ])
    func `a document that is not a list of media is reported as a problem`(_ text: String, _ says: String) {
        let problem = #expect(throws: WarmProblem.self) { try entries(text) }
        #expect(problem?.text.contains(says) == true, "\(problem?.text ?? "")")
    }

    @Test func `entities of a document type are not expanded`() throws {
        let bomb = """
            <!DOCTYPE r [<!ENTITY a "aaaaaaaaaa">]>
            <rss><enclosure url="https://a.example/&a;&#x41;&unknown"/></rss>
            """
        #expect(try entries(bomb).map(\.url) == ["https://a.example/&a;A&unknown"])
    }
}
