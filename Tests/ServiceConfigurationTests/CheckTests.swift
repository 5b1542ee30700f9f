import Testing

@testable import ServiceConfiguration

struct CheckTests {
    private static let check = ConfigurationCheck("fetch.caFile") { configuration in
        configuration.fetch.caFile.map { "\($0) is bad: name another" }
    }

    private func problems(_ fixture: ConfigurationFixture, _ environment: [String: String] = [:]) -> [String] {
        let loader = ConfigurationLoader(
            environment: environment, defaults: Configuration(workers: 1), defaultPath: fixture.path,
            checks: [Self.check])
        guard case .failure(let errors) = loader.load() else { return [] }
        return errors.lines.map { $0.replacing(fixture.path, with: "appgroupd.yaml") }
    }

    @Test func `a failed check is reported with the line or the variable of the value`() throws {
        let fixture = try ConfigurationFixture("budget: 2s\nfetch: {caFile: a}\n")
        #expect(problems(fixture) == ["appgroupd.yaml:2: fetch.caFile: a is bad: name another"])
        #expect(
            problems(fixture, ["APPGROUPD_FETCH_CA_FILE": "b"])
                == ["APPGROUPD_FETCH_CA_FILE: b is bad: name another"])
        #expect(problems(fixture, ["APPGROUPD_FETCH_CA_FILE": "none"]).isEmpty)
    }

    @Test func `a configuration with errors is not checked`() throws {
        let fixture = try ConfigurationFixture("budget: soon\nfetch: {caFile: a}\n")
        #expect(problems(fixture).count == 1)
        #expect(problems(fixture).first?.contains("budget") == true)
    }
}
