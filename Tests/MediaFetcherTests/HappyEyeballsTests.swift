import Base
import Lab
import NotificationModel
import TestSupport
import Testing

@testable import MediaFetcher

/// The tests of hosts with IPv4 and IPv6 addresses, of which one family may be unreachable.
@Suite struct HappyEyeballsTests {
    /// A resolver that gives every name the same addresses of both families.
    private struct BothFamilies: NameResolving {
        let addresses: [IPAddress]

        func resolve(_ host: String) async throws(MediaFailure) -> ResolvedHost {
            ResolvedHost(addresses: addresses, ttl: .zero, wasCached: false)
        }
    }

    private static let v4 = IPAddress.v4(127 << 24 | 1)
    private static let v6 = IPAddress.v6(1)

    @Test(arguments: [[v6, v4], [v4, v6]])
    func `a fetch succeeds if only one address family reaches the origin`(_ addresses: [IPAddress]) async throws {
        for host in ["127.0.0.1", "::1"] {
            let origin = try await MisbehavingOrigin.start(serving: Fixtures.media, host: host, port: 0)
            var policy = FetchPolicy()
            policy.addresses = AddressPolicy(allowed: ["127.0.0.0/8", "::1/128"].compactMap(AddressRange.init))
            let fetcher = try HTTPMediaFetcher(
                policy: policy, resolver: BothFamilies(addresses: addresses), userAgent: "appgroupd-tests")
            let trace = StageTrace()
            let files = CountedFiles()
            let result = await fetcher.fetch(
                FetchRequest(
                    url: "http://both.test:\(origin.port)/photo-small.jpg", deadline: .now.advanced(by: .seconds(10)),
                    trace: trace, makeFile: { () throws(MediaFailure) in try files.make() }))
            #expect(result.reason == nil, "\(result)")
            #expect(trace.transfers.map(\.address) == [host])
            await fetcher.shutdown()
            await origin.stop()
        }
    }

    @Test func `a host is refused if its address of one family is forbidden`() async throws {
        let origin = try await MisbehavingOrigin.start(serving: Fixtures.media, host: "127.0.0.1", port: 0)
        var policy = FetchPolicy()
        policy.addresses = AddressPolicy(allowed: ["127.0.0.0/8"].compactMap(AddressRange.init))
        let fetcher = try HTTPMediaFetcher(
            policy: policy, resolver: BothFamilies(addresses: [Self.v4, Self.v6]), userAgent: "appgroupd-tests")
        let files = CountedFiles()
        let result = await fetcher.fetch(
            FetchRequest(
                url: "http://both.test:\(origin.port)/photo-small.jpg", deadline: .now.advanced(by: .seconds(10)),
                trace: StageTrace(), makeFile: { () throws(MediaFailure) in try files.make() }))
        await fetcher.shutdown()
        #expect([.forbiddenAddress, .forbiddenHost].contains(result.reason))
        #expect(origin.counts.connectionsAccepted == 0)
        await origin.stop()
    }
}
