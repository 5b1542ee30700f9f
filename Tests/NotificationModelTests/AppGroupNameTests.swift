import NotificationModel
import Testing

@Suite struct AppGroupNameTests {
    @Test(arguments: [
        "group.com.example.app", "group.default", "a", "0", "-", "A-Z.a-z.0-9", "a..b", "a.", "a.sock.b", "sock",
        "lock", "-rf", "---",
        String(repeating: "a", count: 128),
    ])
    func `a plain file name is a valid group name`(name: String) throws {
        #expect(try #require(AppGroupName(name)).description == name)
    }

    @Test(arguments: [
        "", ".", "..", ".hidden", "../x", "a/b", "/etc", "a/../b", "a\\b", "a b", "a\u{0}b", "\u{0}", "a\n", "a_b",
        "a:b",
        "a%2fb", "~", "a*", "gr\u{F6}\u{DF}e", "e\u{301}", "\u{663}", "a\u{FF11}", "\u{FF0E}\u{FF0E}", "a\u{2215}b",
        "\u{212A}",
        "appgroupd.sock", "a.sqlite", "A.SQLite", "b.lock",
        String(repeating: "a", count: 129), String(repeating: "\u{E9}", count: 65),
    ])
    func `a text that is not a plain file name is refused`(name: String) {
        #expect(AppGroupName(name) == nil)
    }

    @Test func `the default group has a valid name`() {
        #expect(AppGroupName("group.default") == AppGroupName.default)
    }
}
