import NotificationModel
import ServiceConfiguration
import Testing

/// Tests of the settings of the push gateway for homeservers.
@Suite struct MatrixGatewayTests {
    @Test func `an app has a group, a profile and an environment`() throws {
        let matrix = try ConfigurationFixture(
            """
            matrix:
              gateway: open
              paths: [/push/notify/, /b]
              apps:
                com.example.ios*: {group: group.a, environment: development}
                com.example.tv: {profile: original}
                com.example.web:
                "*": {}
            """
        ).load().matrix
        #expect(matrix.gateway == .open)
        #expect(matrix.paths == ["/push/notify", "/b"])
        #expect(
            matrix.apps.all == [
                .init(pattern: "*"),
                .init(pattern: "com.example.ios*", group: AppGroupName("group.a"), environment: .development),
                .init(pattern: "com.example.tv", profile: "original"), .init(pattern: "com.example.web"),
            ])
    }

    @Test(arguments: [
        "x", "[a]", "{'': {}}", "{'a b': {}}", "{'a*b': {}}", "{'**': {}}", "{a: x}", "{a: {group: ../etc}}",
        "{a: {profile: phone}}", "{a: {environment: dev}}", "{a: {enviroment: production}}",
        "{\(String(repeating: "a", count: 256)): {}}",
    ])
    func `an invalid rule for apps is refused, and the error names matrix.apps`(apps: String) throws {
        let problems = try ConfigurationFixture("matrix:\n  apps: \(apps)").problems()
        #expect(problems.count == 1, "\(problems)")
        #expect(problems.allSatisfy { $0.contains("matrix.apps") }, "\(problems)")
    }

    @Test func `more rules or paths than the limit are refused`() throws {
        let apps = (0...100).map { "a\($0): {}" }.joined(separator: ", ")
        #expect(
            try ConfigurationFixture("matrix: {apps: {\(apps)}}").problems()
                == ["appgroupd.yaml:1: matrix.apps: has more than 100 app IDs: remove some"])
        let paths = (0...8).map { "/a\($0)" }.joined(separator: ", ")
        #expect(
            try ConfigurationFixture("matrix: {paths: [\(paths)]}").problems()
                == ["appgroupd.yaml:1: matrix.paths: has more than 8 paths: remove some"])
        for path in ["a", "/", "/a b", "/a?b", "/../a"] {
            #expect(try ConfigurationFixture("matrix: {paths: ['\(path)']}").problems().count == 1, "\(path)")
        }
    }
}
