import NotificationModel
import ServiceConfiguration
import Testing

/// Tests of `callbacks.targets`.
@Suite struct CallbackKeyTests {
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    private let fixture: ConfigurationFixture

    init() throws { fixture = try ConfigurationFixture() }

    private func write(_ targets: String...) throws {
        try fixture.write("callbacks:\n  targets:\n" + targets.map { "    - {\($0)}" }.joined(separator: "\n"))
    }

    @Test func `a target has the values of the file, and defaults for the others`() throws {
        let path = try fixture.file("gateway.whsec", Self.secret + "\n")
        try write(
            "name: gateway, url: \"https://gateway.example.com:8443/hook?key=s3cr3t\", secretFile: \(path)",
            "name: b, url: \"http://b.example/\", secretFile: \(path), groups: [group.a], types: [receipt.read], result: false, requests: true, concurrent: 1, timeout: 5s"
        )
        let targets = try fixture.load().callbacks.targets
        let gateway = try #require(targets.first)
        #expect(gateway.url == "https://gateway.example.com:8443/hook?key=s3cr3t")
        #expect(gateway.shownURL == "https://gateway.example.com:8443/hook")
        #expect(gateway.origin == "https://gateway.example.com:8443/")
        #expect(gateway.groups == .all && gateway.types == [] && gateway.hasResult && !gateway.takesRequests)
        #expect(gateway.concurrent == 4 && gateway.timeout == .seconds(15))
        #expect(targets[1].types == ["receipt.read"] && targets[1].takesRequests && !targets[1].hasResult)
        #expect(try !fixture.load().text("callbacks.targets").contains("s3cr3t"))
        #expect(try !fixture.load().text("callbacks.targets").contains("whsec_"))
    }

    @Test(arguments: ["sendios", "comapi", "sendios.group.a"])
    func `a target cannot have the name of the target that a provider's settings make`(name: String) throws {
        let path = try fixture.file("gateway.whsec", Self.secret)
        try write("name: \(name), url: \"https://a.example/\", secretFile: \(path)")
        let problem = fixture.problems().joined()
        #expect(problem.contains("\(name) is a name for the target of a provider: choose another name"))
        #expect(problem.contains("callbacks.targets") && problem.contains(".name"))
        try write("name: \(name)-2, url: \"https://a.example/\", secretFile: \(path)")
        #expect(name.contains(".") || fixture.problems().isEmpty)
    }

    @Test func `a wrong target is refused, and no message shows a secret`() throws {
        let path = try fixture.file("gateway.whsec", Self.secret)
        let weak = try fixture.file("weak", "whsec_AAAA")
        let open = try fixture.file("open", Self.secret, mode: 0o644)
        let url = "url: \"https://a.example/\""
        for target in [
            "url: \"https://a.example/\", secretFile: \(path)", "name: a, secretFile: \(path)", "name: a, \(url)",
            "name: a, url: \"ftp://a.example/\", secretFile: \(path)", "name: a, url: /hook, secretFile: \(path)",
            "name: a, url: \"https://u:s3cr3t@a.example/\", secretFile: \(path)",
            "name: a, url: \"https://a.example/#x\", secretFile: \(path)",
            "name: a, \(url), secretFile: \(weak)", "name: a, \(url), secretFile: \(open)",
            "name: a, \(url), secretFile: \(path), types: [notification.sent]",
            "name: a, \(url), secretFile: \(path), timeout: 2m", "name: a, \(url), secretFile: \(path), secret: x",
        ] {
            try write(target)
            let problems = fixture.problems()
            #expect(problems.count == 1, "\(target): \(problems)")
            #expect(!problems.joined().contains("s3cr3t") && !problems.joined().contains("whsec_M"))
        }
        try write("name: a, \(url), secretFile: \(path)", "name: a, \(url), secretFile: \(path)")
        #expect(fixture.problems().joined().contains("occurs twice"))
    }
}
