import Foundation
import NotificationModel
import ServiceConfiguration
import TestSupport
import Testing

@Suite struct ReferenceTests {
    @Test func `docs/operate/configuration.md is equal to the page that is generated from the keys`() throws {
        let text = ConfigurationReference.markdown
        let page = try Golden.page("operate/configuration.md", made: text)
        #expect(text == page, "the page differs from the generated page; REWRITE_GOLDENS=1 rewrites it")
    }

    @Test(arguments: ConfigurationKey.all)
    func `the page contains each key with its variable and its flag`(key: ConfigurationKey) throws {
        let rows = ConfigurationReference.markdown.split(separator: "\n").filter { $0.hasPrefix("| `\(key.path)` |") }
        #expect(rows.count == 1)
        let row = try #require(rows.first)
        #expect(row.contains("`\(key.environmentName)`"))
        #expect(row.contains(key.meaning))
        if let flag = key.flag { #expect(row.contains("`\(flag)`")) }
    }

    @Test func `the example of the settings of groups is a valid configuration`() throws {
        let configuration = try ConfigurationFixture(ConfigurationReference.groupsExample).load()
        #expect(configuration.of(group: "group.com.example.news").requests.perGroup == 500)
        #expect(configuration.of(group: "group.com.example.chat").permissions.wifiOnly)
    }

    @Test func `the example on the page is a valid configuration`() throws {
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
