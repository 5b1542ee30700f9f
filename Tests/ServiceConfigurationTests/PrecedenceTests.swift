import Testing

@testable import ServiceConfiguration

/// Tests of the precedence for each key: flags, environment, file, defaults.
@Suite struct PrecedenceTests {
    private static let paths = ConfigurationKey.all.map(\.path)

    private let samples: KeySamples

    init() throws { samples = try KeySamples() }

    @Test func `each key has samples, and each sample has a key`() {
        #expect(Set(samples.all.keys) == Set(Self.paths))
        #expect(Set(Self.paths).count == Self.paths.count)
    }

    @Test func `the variable and the flag of each key are unique`() {
        let variables = ConfigurationKey.all.map(\.environmentName) + [EnvironmentLayer.fileVariable]
        #expect(Set(variables).count == variables.count)
        let flags = ConfigurationKey.all.compactMap(\.flag)
        #expect(Set(flags).count == flags.count)
    }

    @Test func `the name of an environment variable consists of the words of its configuration key`() throws {
        let key = try #require(ConfigurationKey.named("fetch.connectionsPerHost"))
        #expect(key.environmentName == "APPGROUPD_FETCH_CONNECTIONS_PER_HOST")
        #expect(ConfigurationKey.named("publicURL")?.environmentName == "APPGROUPD_PUBLIC_URL")
        #expect(ConfigurationKey.named("homeassistant.baseURL")?.environmentName == "APPGROUPD_HOMEASSISTANT_BASE_URL")
    }

    @Test(arguments: paths)
    func `the source with the highest precedence is used and reported`(path: String) throws {
        let key = try #require(ConfigurationKey.named(path))
        let samples = try #require(self.samples.all[path])
        let fixture = try ConfigurationFixture(yaml(of: key, samples[0]))
        let nothing = try ConfigurationFixture()
        let variable = [key.environmentName: samples[1]]
        let flag = key.flag.map { [FlagValue($0, samples[2])] }

        for hasFile in [false, true] {
            for hasVariable in [false, true] {
                for flags in [[], flag].compactMap(\.self) {
                    let configuration = try (hasFile ? fixture : nothing).load(
                        environment: hasVariable ? variable : [:], flags: flags)
                    let expected: (Configuration, ValueSource) =
                        if !flags.isEmpty {
                            (try nothing.load(flags: flags), .flag(flags[0].flag))
                        } else if hasVariable {
                            (try nothing.load(environment: variable), .environment(key.environmentName))
                        } else if hasFile {
                            (try fixture.load(), .file(path: fixture.path, line: path.contains(".") ? 3 : 2))
                        } else {
                            (Configuration(workers: 3), .default)
                        }
                    #expect(key.isSame(configuration, expected.0))
                    #expect(configuration.source(of: key) == expected.1)
                    // No other key has changed.
                    let others = configuration.entries.filter { $0.key != path && $0.source != .default }
                    #expect(others.isEmpty)
                }
            }
        }
    }

    @Test(arguments: paths)
    func `a value in the listing is equal to the value that was set`(path: String) throws {
        let key = try #require(ConfigurationKey.named(path))
        for sample in try #require(samples.all[path]) where path != "fetch.headers" {
            let configuration = try ConfigurationFixture().load(environment: [key.environmentName: sample])
            #expect(try configuration.text(path) == sample)
            let read = try ConfigurationFixture(yaml(of: key, sample)).load()
            #expect(key.isSame(read, configuration))
        }
    }

    @Test(arguments: paths)
    func `the samples of a key differ from its default and from each other`(path: String) throws {
        let key = try #require(ConfigurationKey.named(path))
        let samples = try #require(self.samples.all[path])
        let values = try samples.map { try ConfigurationFixture().load(environment: [key.environmentName: $0]) }
        #expect(!key.isSame(values[0], values[1]))
        #expect(!key.isSame(values[1], values[2]))
        #expect(!key.isSame(values[1], Configuration(workers: 3)))
    }

    /// Returns a file with the key on line 2, or on line 3 below its section.
    private func yaml(of key: ConfigurationKey, _ sample: String) -> String {
        let value =
            switch key.shape {
            case .text: "'\(sample)'"
            case .list, .listOrMapping:
                "[" + sample.split(separator: ",").map { "'\($0.drop { $0 == " " })'" }.joined(separator: ", ") + "]"
            case .mapping, .listOfMappings: sample
            }
        let parts = key.path.split(separator: ".")
        return parts.count == 1
            ? "# a comment\n\(key.name): \(value)\n" : "# a comment\n\(parts[0]):\n  \(key.name): \(value)\n"
    }
}
