import Base
import Glibc
import NotificationModel
import Testing

@testable import MediaFetcher

/// The tests of `fixtures/hostile_urls.json` with the policy alone. It validates URLs and addresses as values, so that
/// no packet can be sent.
@Suite struct HostileURLTests {
    /// The default policy, on a host without a public address.
    private let policy: FetchPolicy = {
        var policy = FetchPolicy()
        policy.addresses = AddressPolicy(own: .known([]))
        return policy
    }()

    init() { setlocale(LC_CTYPE, "C.UTF-8") }

    @Test func `the table of hostile URLs has the expected number of cases of each kind`() {
        let counts = Dictionary(grouping: HostileCase.all, by: \.kind).mapValues(\.count)
        #expect(counts == [.literal: 39, .syntax: 25, .scheme: 19, .resolve: 19, .redirect: 7, .environment: 6])
    }

    @Test(arguments: HostileCase.all(.literal))
    func `a forbidden address is refused in every notation`(_ hostile: HostileCase) throws {
        #expect(hostile.verdict == .block)
        let url = try #require(hostile.url)
        let failure = #expect(throws: MediaFailure.self) { try policy.validate(url) }
        // A zone is not part of an address, so a URL with a zone is malformed.
        let denotes = try #require(hostile.denotes)
        #expect(failure?.reason == (denotes.contains("%") ? .invalidURL : .forbiddenAddress))
        guard let address = IPAddress(denotes) else { return }
        #expect(AddressPolicy(own: .known([])).decide(address, port: 80) != .allowed)
        // If every address is allowed, the policy reads the URL as the table does.
        var open = policy
        open.addresses.allowed = ["0.0.0.0/0", "::/0"].compactMap(AddressRange.init)
        let judged = try open.validate(url)
        #expect(judged.address == address)
    }

    @Test(arguments: HostileCase.all(.syntax))
    func `a URL that can be read in several ways is refused`(_ hostile: HostileCase) throws {
        let url = try #require(hostile.url)
        if hostile.verdict == .allowIfEncoded {
            let judged = try policy.validate(url)
            #expect(judged.text == url)
            return
        }
        #expect(hostile.verdict == .block)
        let failure = #expect(throws: MediaFailure.self) { try policy.validate(url) }
        #expect([.invalidURL, .forbiddenAddress, .forbiddenHost].contains(failure?.reason))
        // A URL with a user name is refused for that reason, and not because of its address.
        if url.contains("@") { #expect(failure?.reason == .invalidURL) }
    }

    @Test(arguments: HostileCase.all(.scheme))
    func `a URL with another scheme is refused`(_ hostile: HostileCase) throws {
        #expect(hostile.verdict == .block)
        let failure = #expect(throws: MediaFailure.self) { try policy.validate(hostile.url ?? "http://a.example/") }
        #expect([.forbiddenScheme, .invalidURL].contains(failure?.reason))
    }

    @Test(arguments: HostileCase.all(.resolve))
    func `all addresses of a name are validated`(_ hostile: HostileCase) throws {
        let url = try #require(hostile.url)
        let addresses = try #require(hostile.resolved).map { try #require(IPAddress($0)) }
        let failure = reason(try policy.validate(addresses, for: policy.validate(url)))
        switch hostile.verdict {
        case .allow, .allowCapped: #expect(failure == nil)
        case .block: #expect(failure == .forbiddenAddress || failure == .forbiddenHost)
        case .fail: #expect(failure != nil)
        case .blockSecond, .allowIfEncoded: Issue.record("no such case")
        }
    }

    @Test func `only a few addresses of a host with hundreds of addresses are tried`() {
        #expect((1...16).contains(policy.limits.addresses))
    }

    @Test(arguments: HostileCase.all(.redirect).filter { $0.verdict == .blockSecond })
    func `each hop of a redirect is validated`(_ hostile: HostileCase) throws {
        let chain = try #require(hostile.chain)
        try #require(chain.count == 2)
        let first = try policy.validate(chain[0])
        let failure = reason(try policy.validate(chain[1], redirectedFrom: first))
        #expect(failure == .redirectRefused || failure == .forbiddenAddress)
    }

    @Test(arguments: HostileCase.all(.environment).compactMap(\.setup).filter { $0.contains("http://") })
    func `an internal name is not resolved`(_ setup: String) throws {
        let url = try #require(setup.split(separator: " ").first { $0.hasPrefix("http://") })
        let failure = #expect(throws: MediaFailure.self) { try policy.validate(String(url)) }
        #expect(failure?.reason == .forbiddenHost)
    }

    private func reason(_ validate: @autoclosure () throws -> Void) -> DegradationReason? {
        do { try validate() } catch { return (error as? MediaFailure)?.reason }
        return nil
    }

    private func reason(_ validate: @autoclosure () throws -> ValidatedURL) -> DegradationReason? {
        do { _ = try validate() } catch { return (error as? MediaFailure)?.reason }
        return nil
    }
}
