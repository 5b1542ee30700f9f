import Testing

@testable import NotificationModel

struct MatrixAppsTests {
    @Test(
        arguments: [
            ("com.example.app.ios.dev", "ios", .development), ("com.example.app.ios.prod", "ios", .production),
            ("im.vector.app.android", "android", .production), ("im.vector.web", "web", .production),
            ("com.example.ios.debug", "ios", .development), ("com.example.IOS.Sandbox", "ios", .development),
            ("im.example.app-ios.voip", "ios", .production), ("com.example.webinar.dev", nil, .development),
            ("com.example.development", nil, .production), ("dev", nil, .production), ("", nil, .production),
            ("com.example.dev.", nil, .production), (String(repeating: "ios", count: 10_000), nil, .production),
        ] as [(String, String?, MatrixApps.Environment)])
    func `the words of an app's id name its profile, and the end names its environment`(
        _ id: String, _ profile: String?, _ environment: MatrixApps.Environment
    ) {
        let target = MatrixApps().target(of: id)
        #expect(target == .init(group: .default, profile: profile, environment: environment))
    }

    @Test func `the rule for the whole id decides, and then the rule with the longest beginning`() throws {
        let groups = try ["group.any", "group.im", "group.ios", "group.one"].map { try #require(AppGroupName($0)) }
        let apps = MatrixApps([
            .init(pattern: "*", group: groups[0]), .init(pattern: "im.example*", group: groups[1], profile: "watch"),
            .init(pattern: "im.example.ios*", group: groups[2], environment: .development),
            .init(pattern: "im.example.ios", group: groups[3], profile: "original", environment: .production),
        ])
        #expect(apps.target(of: "im.example.ios").group == groups[3])
        #expect(apps.target(of: "im.example.ios").profile == "original")
        #expect(
            apps.target(of: "im.example.ios.prod")
                == .init(group: groups[2], profile: "ios", environment: .development))
        #expect(
            apps.target(of: "im.example.dev") == .init(group: groups[1], profile: "watch", environment: .development))
        #expect(apps.target(of: "org.example").group == groups[0])
        #expect(apps.all.map(\.pattern) == ["*", "im.example*", "im.example.ios", "im.example.ios*"])
    }
}
