import FeatureKit
import ServiceConfiguration
import Testing

@testable import appgroupd

@Suite struct DescriptorBudgetTests {
    private let configuration = Configuration.ofThisMachine

    @Test(arguments: [0, 1, 10, 100, 871, 3_943, 8_039, 20_000, 100_000], [false, true])
    func `the sum of all parts of the budget is at most the limit of open files`(_ more: Int, _ hasTCP: Bool) {
        var configuration = configuration
        configuration.listen = hasTCP ? ListenAddress(host: "127.0.0.1", port: 8_480) : nil
        let least = DescriptorBudget.least(configuration)
        let budget = DescriptorBudget(configuration, openFiles: least + more)
        let shares = DescriptorBudget.Kind.allCases.map(budget.share)
        // Each of 16 handles keeps at least one connection.
        let kept = max(budget.keptConnections ?? budget.media, 16)
        #expect(shares.reduce(0, +) + kept <= least + more)
        #expect(budget.share(of: .connections) == budget.callers * (hasTCP ? 2 : 1))
        #expect(budget.share(of: .margin) == 32)
        #expect(budget.callers >= 16 && budget.indexes >= 4 && budget.media >= 1 && budget.batches >= 4)
        #expect(budget.callbacks >= 2 && budget.validations >= 1)
        #expect(DescriptorBudget.problem(with: configuration, openFiles: least + more) == nil)
    }

    @Test func `a large limit of open files does not restrict the limits of the configuration`() {
        let wanted = DescriptorBudget.wanted(configuration)
        let budget = DescriptorBudget(configuration, openFiles: wanted)
        #expect(budget.callers == 4_096 && budget.indexes == 208 && budget.media == configuration.requests.inFlight)
        #expect(budget.keptConnections == nil)
    }

    @Test func `a limit of 20,000 open files is enough for a daemon that listens only on its socket`() {
        var configuration = configuration
        (configuration.listen, configuration.workers) = (nil, 2)
        #expect(DescriptorBudget.wanted(configuration) <= 20_000)
        configuration.listen = ListenAddress(host: "127.0.0.1", port: 8_480)
        #expect(DescriptorBudget.wanted(configuration) == 22_927)
    }

    @Test func `the message about a limit that is too small names the corrections`() {
        var configuration = configuration
        configuration.workers = 2
        let least = DescriptorBudget.least(configuration)
        #expect(
            DescriptorBudget.problem(with: configuration, openFiles: 64)
                == "the limit is 64 open files, and the daemon needs at least \(least) with 2 workers: raise it with "
                + "LimitNOFILE= in the unit or ulimit -n")
        #expect(DescriptorBudget.problem(with: configuration, openFiles: least - 1) != nil)
    }
}
