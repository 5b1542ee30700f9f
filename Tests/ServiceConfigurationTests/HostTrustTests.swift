import NotificationModel
import ServiceConfiguration
import Testing

/// Tests of certificates and keys for single hosts, and of a homeserver without TLS.
@Suite struct HostTrustTests {
    private static let pin = "sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    @Test func `a host can have a certificate file, a pin or several pins`() throws {
        let hosts = try ConfigurationFixture(
            """
            fetch:
              hosts:
                SDN.example.org: {caFile: /etc/sdn.pem}
                192.0.2.1: {pin: \(Self.pin)}
                b.example: {caFile: b.pem, pin: ["\(Self.pin)", "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]}
            """
        ).load().fetch.hosts
        #expect(hosts["sdn.example.org"]?.caFile == "/etc/sdn.pem")
        #expect(hosts["sdn.example.org"]?.pins == [])
        #expect(hosts["192.0.2.1"]?.pins == [Self.pin])
        #expect(hosts["b.example"]?.pins.count == 2)
        #expect(hosts.count == 3)
    }

    @Test(arguments: [
        "x", "[a.example]", "{a.example: x}", "{a.example: {}}", "{a.example: {caFile: ''}}", "{a.example: {pin: []}}",
        "{a.example: {pin: sha256//x}}", "{a.example: {pin: 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=}}",
        "{a.example: {cafile: a.pem}}", "{'*.example': {caFile: a.pem}}", "{'https://a.example': {caFile: a.pem}}",
        "{a.example: {caFile: a.pem}, A.example: {caFile: b.pem}}",
    ])
    func `an invalid host, certificate file or pin is refused, and the error names fetch.hosts`(hosts: String) throws {
        let problems = try ConfigurationFixture("fetch:\n  hosts: \(hosts)").problems()
        #expect(problems.count == 1, "\(problems)")
        #expect(problems.allSatisfy { $0.contains("fetch.hosts") }, "\(problems)")
    }

    @Test func `more hosts than the limit are refused`() throws {
        let hosts = (0...50).map { "h\($0).example: {caFile: a.pem}" }.joined(separator: ", ")
        let problems = try ConfigurationFixture("fetch: {hosts: {\(hosts)}}").problems()
        #expect(problems == ["appgroupd.yaml:1: fetch.hosts: has more than 50 hosts: remove some"])
    }

    @Test func `a homeserver without TLS is refused if a token is configured`() throws {
        let fixture = try ConfigurationFixture("matrix: {homeserver: 'http://sdn.org'}")
        #expect(try fixture.load().matrix.homeserver?.description == "http://sdn.org")
        let token = try fixture.file("token", "syt_1")
        try fixture.write("matrix: {homeserver: 'http://sdn.org', tokenFile: \(token)}")
        #expect(
            fixture.problems() == [
                "appgroupd.yaml:1: matrix.homeserver: \"http://sdn.org\" is not an https URL, such as https://media.example.com/push, because matrix.tokenFile is set"
            ])
        try fixture.write("matrix: {homeserver: 'https://sdn.org', tokenFile: \(token)}")
        #expect(try fixture.load().matrix.homeserver?.description == "https://sdn.org")
    }
}
