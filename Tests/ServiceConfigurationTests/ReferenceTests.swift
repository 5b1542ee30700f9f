import Foundation
import ServiceConfiguration
import Testing

@Suite struct ReferenceTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "docs/configuration.md")

    @Test func `the page in docs is the one that the table makes`() throws {
        let text = ConfigurationReference.markdown
        if ProcessInfo.processInfo.environment["REWRITE_GOLDENS"] != nil {
            try text.write(to: Self.page, atomically: true, encoding: .utf8)
        }
        let page = try String(contentsOf: Self.page, encoding: .utf8)
        #expect(text == page, "docs/configuration.md is not what the table makes; REWRITE_GOLDENS=1 rewrites it")
    }

    @Test(arguments: ConfigurationKey.all)
    func `the page has every key with its variable and flag`(key: ConfigurationKey) throws {
        let rows = ConfigurationReference.markdown.split(separator: "\n").filter { $0.hasPrefix("| `\(key.path)` |") }
        #expect(rows.count == 1)
        let row = try #require(rows.first)
        #expect(row.contains("`\(key.environmentName)`"))
        #expect(row.contains(key.meaning))
        if let flag = key.flag { #expect(row.contains("`\(flag)`")) }
    }

    @Test func `the example is a configuration`() throws {
        let fixture = try ConfigurationFixture()
        let token = try fixture.file("token", "Bearer x\n")
        try fixture.write(ConfigurationReference.example.replacing("/etc/appgroupd/media-token", with: token))
        let configuration = try fixture.load()
        #expect(configuration.budget == .seconds(20))
        #expect(configuration.fetch.allowHosts == ["*.example.com", "media.example.org"])
        #expect(
            configuration.fetch.headers["media.example.com"]?.map(\.value.value) == ["image/*, video/*", "Bearer x"])
    }
}
