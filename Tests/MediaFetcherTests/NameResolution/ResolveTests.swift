import Base
import NotificationModel
import Testing

@testable import MediaFetcher

/// The tests that the resolver interprets the answers of name servers correctly, over real sockets.
@Suite(.timeLimit(.minutes(1)))
struct ResolveTests {
    @Test func `a host has all addresses of the answers, and the shortest time to live of their records`() async throws
    {
        try await withNames {
            [$0.answer([.a(192, 0, 2, 1, ttl: 40), .a(192, 0, 2, 2, ttl: 30), .aaaa(7, ttl: 50)])]
        } _: { bench in
            let host = try await bench.answer("cdn.example").get()
            #expect(Set(host.addresses) == Set(texts: "192.0.2.1", "192.0.2.2", "::7"))
            #expect(host.addresses.count == 3)
            #expect(host.ttl == .seconds(30))
            #expect(!host.wasCached)
        }
    }

    @Test(arguments: [[DNSRecord.a(192, 0, 2, 1)], [DNSRecord.aaaa(1)]])
    func `a host with addresses of one family is resolved`(records: [DNSRecord]) async throws {
        try await withNames {
            [$0.answer(records)]
        } _: { bench in
            let host = try await bench.answer("cdn.example").get()
            let address = records[0].data
            let only = IPAddress(bytes: address.span)
            #expect(host.addresses == [only])
        }
    }

    @Test func `a failed query for one address family does not remove the addresses of the other family`() async throws
    {
        try await withNames {
            [$0.type == DNSQuestion.a ? $0.answer([.a(192, 0, 2, 1)]) : $0.answer(code: 2)]
        } _: { bench in
            #expect(await bench.answer("cdn.example").addresses == Set(texts: "192.0.2.1"))
        }
    }

    @Test func `a chain of aliases has the shortest time to live of its records`() async throws {
        try await withNames { question in
            let chain: [DNSRecord] = [
                .alias(of: "a.cdn.example", ttl: 50), .alias("a.cdn.example", of: "b.cdn.example", ttl: 20),
                .a(192, 0, 2, 1, ttl: 40, of: "b.cdn.example"),
            ]
            return [question.answer(chain)]
        } _: { bench in
            let host = try await bench.answer("www.example").get()
            #expect(host.addresses == [IPAddress("192.0.2.1")])
            #expect(host.ttl == .seconds(20))
        }
    }

    @Test(arguments: ["localhost", "LOCALHOST.", "a.localhost"])
    func `a loopback name has loopback addresses, even without a hosts file`(_ name: String) async throws {
        try await withNames { question in
            [question.answer([.a(192, 0, 2, 1, ttl: 60)])]
        } _: { bench in
            let host = try await bench.answer(name).get()
            #expect(host.addresses.allSatisfy { $0 == IPAddress("127.0.0.1") || $0 == IPAddress("::1") })
        }
    }

    @Test func `addresses in the hosts file take precedence over 127.0.0.1 for a loopback name`() {
        let written = HostAnswer.addresses([.v6(1)], ttl: .seconds(1))
        #expect(written.orLoopback == written)
        #expect(HostAnswer.nothing("no").orLoopback == .addresses([.v4(127 << 24 | 1)], ttl: HostAnswer.nothingTTL))
    }

    @Test func `localhost is resolved without a query to a name server`() async throws {
        try await withNames { _ in
            []
        } _: { bench in
            let host = try await bench.answer("localhost").get()
            #expect(!Set(host.addresses).isDisjoint(with: Set(texts: "127.0.0.1", "::1")))
            #expect(host.ttl <= .seconds(60))
            #expect(Set(host.addresses).count == host.addresses.count)
            #expect(bench.server.questions.isEmpty)
        }
    }

    @Test(arguments: ["intranet", "intranet.", "INTRANET"])
    func `a name is queried as absolute, in lower case, and once per address family`(text: String) async throws {
        try await withNames {
            [$0.answer(code: 3)]
        } _: { bench in
            #expect(await bench.answer(text).failure?.reason == .dnsFailed)
            #expect(bench.server.questions.map(\.name) == ["intranet", "intranet"])
            #expect(Set(bench.server.questions.map(\.type)) == [DNSQuestion.a, DNSQuestion.aaaa])
        }
    }

    @Test func `a text that is no host name is not sent to a name server`() async throws {
        try await withNames {
            [$0.answer([.a(192, 0, 2, 1)])]
        } _: { bench in
            for text in ["", ".", "a..b", "a b", "a\0b", "a\\046b", "bücher.example", "[::1]"] {
                #expect(await bench.answer(text).failure == .noHostName)
            }
            #expect(bench.server.questions.isEmpty)
        }
    }

    @Test func `the resolver repeats a query over TCP after a truncated answer`() async throws {
        try await withNames { question in
            guard question.isStream else { return [question.answer(isTruncated: true)] }
            return [question.answer((1...200).map { .a(192, 0, 2, $0) })]
        } _: { bench in
            let host = try await bench.answer("many.example").get()
            #expect(host.addresses.count == HostAnswer.maxAddresses)
            #expect(bench.server.questions.contains { $0.isStream })
        }
    }

    @Test func `the resolver queries the next server if the first server does not answer`() async throws {
        let silent = try NameServer { _ in [] }
        defer { silent.shutdown() }
        try await withNames {
            [$0.answer([.a(192, 0, 2, 1)])]
        } change: {
            $0.nameservers.insert(silent.address, at: 0)
            $0.queryTimeout = .milliseconds(300)
        } _: { bench in
            #expect(await bench.answer("cdn.example").addresses == Set(texts: "192.0.2.1"))
            #expect(silent.questions.count == 2)
        }
    }

    @Test(arguments: ["nowhere", "127.0.0.1:port", "[::1", "300.1.1.1"])
    func `settings with a malformed address of a name server are refused at the start`(server: String) async throws {
        await #expect(throws: MediaFailure.self) {
            try await withNames({ _ in [] }, change: { $0.nameservers = [server] }, { _ in })
        }
    }

    @Test func `changed settings use the new servers, and remove the cached answers`() async throws {
        let other = try NameServer { [$0.answer([.a(192, 0, 2, 2)])] }
        defer { other.shutdown() }
        try await withNames {
            [$0.answer([.a(192, 0, 2, 1)])]
        } _: { bench in
            #expect(await bench.answer("cdn.example").addresses == Set(texts: "192.0.2.1"))
            var settings = ResolverSettings()
            settings.nameservers = [other.address]
            try await bench.resolver.change(settings)
            #expect(await bench.answer("cdn.example").addresses == Set(texts: "192.0.2.2"))
        }
    }
}
