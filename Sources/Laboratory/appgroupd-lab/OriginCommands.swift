import Base
import FeatureKit
import HTTPCaching
import Lab
import MediaFetcher
import ServiceConfiguration

extension LabServeCommand: PerformableCommand {
    func perform() async throws {
        let origin: MisbehavingOrigin
        do {
            origin = try await .start(serving: directory, host: listen.host, port: listen.port, isLaboratory: true)
        } catch {
            let isUsage = if case OriginStartError.directory = error { true } else { false }
            throw CommandFailure(isUsage ? .usage : .failed, "lab serve: \(error)")
        }
        StandardStreams.output("\(origin.baseURL) serves \(directory); end it with ^C")
        await TerminationSignal.wait()
        await origin.stop()
    }
}

extension LabProxyCommand: PerformableCommand {
    func perform() async throws {
        let bench = try ProxyBench(root: root, policy: policy)
        let gateway = CachingGateway(host: listen.host, port: listen.port, upstream: origin.text, answer: bench.answer)
        do {
            try await withThrowingTaskGroup { group in
                group.addTask {
                    try await gateway.run { port in
                        let address = ListenAddress(host: listen.host, port: port)
                        StandardStreams.output(
                            "http://\(address) answers for \(origin.text) with the cache in \(bench.root); end it with ^C"
                        )
                    }
                }
                group.addTask { await TerminationSignal.wait() }
                try await group.next()
                group.cancelAll()
            }
            await bench.close()
        } catch {
            await bench.close()
            throw CommandFailure(.usage, "lab proxy: \(error)")
        }
    }

    private var policy: FetchPolicy {
        var policy = FetchPolicy()
        policy.addresses = AddressPolicy(allowed: allowAddress + origin.ranges)
        policy.caching.defaultFreshness = defaultFreshness.seconds
        return policy
    }
}
