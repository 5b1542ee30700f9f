import Foundation
import ServiceConfiguration
import TestSupport
import Testing

/// Tests of the choice of the file, and of the messages about a missing file.
@Suite struct FilePlaceTests {
    private func load(
        named file: String? = nil, _ environment: [String: String] = [:], defaultPath: String
    ) -> Result<Configuration, ConfigurationErrors> {
        ConfigurationLoader(
            file: file, environment: environment, defaults: Configuration(workers: 1), defaultPath: defaultPath
        ).load()
    }

    private func problems(_ result: Result<Configuration, ConfigurationErrors>) -> [String] {
        if case .failure(let errors) = result { errors.lines } else { [] }
    }

    @Test func `the file of the flag takes precedence over the file of the variable and over the default file`() throws
    {
        let first = try ConfigurationFixture("workers: 11")
        let second = try ConfigurationFixture("workers: 12")
        let third = try ConfigurationFixture("workers: 13")
        let variable = ["APPGROUPD_CONFIG": second.path]
        #expect(try load(named: first.path, variable, defaultPath: third.path).get().workers == 11)
        #expect(try load(variable, defaultPath: third.path).get().workers == 12)
        #expect(try load(defaultPath: third.path).get().workers == 13)
        #expect(try load(named: "/dev/null", variable, defaultPath: third.path).get().workers == 1)
    }

    @Test func `only the default file may be missing`() throws {
        let nowhere = try ConfigurationFixture().path
        #expect(try load(defaultPath: nowhere).get().workers == 1)
        #expect(try load(defaultPath: nowhere + "/below/nothing").get().workers == 1)
        let problem = "/nowhere/x does not exist: name another file, or none"
        #expect(problems(load(named: "/nowhere/x", defaultPath: nowhere)) == ["--config: \(problem)"])
        let variable = ["APPGROUPD_CONFIG": "/nowhere/x"]
        #expect(problems(load(variable, defaultPath: nowhere)) == ["APPGROUPD_CONFIG: \(problem)"])
        #expect(problems(load(["APPGROUPD_CONFIG": ""], defaultPath: nowhere)).count == 1)
    }

    @Test func `a directory, a pipe or a device is refused as a configuration`() throws {
        let directory = try TemporaryDirectory()
        let pipe = "\(directory.path)/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in [directory.path, pipe, "/dev/zero"] {
            let expected = "--config: \(path) cannot be read: it is not a regular file"
            #expect(problems(load(named: path, defaultPath: "/nowhere")) == [expected])
        }
    }

    @Test func `a second load reads the file again`() throws {
        let fixture = try ConfigurationFixture("budget: 1s")
        let loader = fixture.loader(environment: ["APPGROUPD_LOG_LEVEL": "debug"])
        #expect(try loader.load().get().budget == .seconds(1))
        try fixture.write("budget: 2s\nlog: {level: error}")
        let again = try loader.load().get()
        #expect(again.budget == .seconds(2))
        #expect(again.log.level == .debug)
        try fixture.write("budget: bad")
        #expect(problems(loader.load()).count == 1)
    }
}
