import NotificationModel
import Testing

@testable import NameResolution

/// What the resolver makes of what servers say, over real sockets.
@Suite(.timeLimit(.minutes(1)))
struct ResolveTests {
    @Test func `a name has all its addresses, and the shortest life of them`() async throws {
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
    func `one kind of address is enough`(records: [DNSRecord]) async throws {
        try await withNames {
            [$0.answer(records)]
        } _: { bench in
            let host = try await bench.answer("cdn.example").get()
            let address = records[0].data
            let only = IPAddress(bytes: address.span)
            #expect(host.addresses == [only])
        }
    }

    @Test func `a failure of one kind does not take the other away`() async throws {
        try await withNames {
            [$0.type == DNSQuestion.a ? $0.answer([.a(192, 0, 2, 1)]) : $0.answer(code: 2)]
        } _: { bench in
            #expect(await bench.answer("cdn.example").addresses == Set(texts: "192.0.2.1"))
        }
    }

    @Test func `a chain of aliases lives as long as its shortest link`() async throws {
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
    func `a name of this machine is asked of nobody, and is there without a hosts file`(_ name: String) async throws {
        try await withNames { question in
            [question.answer([.a(192, 0, 2, 1, ttl: 60)])]
        } _: { bench in
            let host = try await bench.answer(name).get()
            #expect(host.addresses.allSatisfy { $0 == IPAddress("127.0.0.1") || $0 == IPAddress("::1") })
        }
    }

    @Test func `what the hosts file says of this machine goes before what is known of it`() {
        let written = HostAnswer.addresses([.v6(1)], ttl: .seconds(1))
        #expect(written.orLoopback == written)
        #expect(HostAnswer.nothing("no").orLoopback == .addresses([.v4(127 << 24 | 1)], ttl: HostAnswer.nothingTTL))
    }

    @Test func `localhost is the machine's own affair`() async throws {
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
    func `names are absolute, in lower case, and asked for once of each kind`(text: String) async throws {
        try await withNames {
            [$0.answer(code: 3)]
        } _: { bench in
            #expect(await bench.answer(text).failure?.reason == .dnsFailed)
            #expect(bench.server.questions.map(\.name) == ["intranet", "intranet"])
            #expect(Set(bench.server.questions.map(\.type)) == [DNSQuestion.a, DNSQuestion.aaaa])
        }
    }

    @Test func `what is no name is not asked for`() async throws {
        try await withNames {
            [$0.answer([.a(192, 0, 2, 1)])]
        } _: { bench in
            for text in ["", ".", "a..b", "a b", "a\0b", "a\\046b", "bücher.example", "[::1]"] {
                #expect(await bench.answer(text).failure == .noHostName)
            }
            #expect(bench.server.questions.isEmpty)
        }
    }

    @Test func `a truncated answer is asked for again over TCP`() async throws {
        try await withNames { question in
            guard question.isStream else { return [question.answer(isTruncated: true)] }
            return [question.answer((1...200).map { .a(192, 0, 2, $0) })]
        } _: { bench in
            let host = try await bench.answer("many.example").get()
            #expect(host.addresses.count == HostAnswer.mostAddresses)
            #expect(bench.server.questions.contains { $0.isStream })
        }
    }

    @Test func `the next server is asked when the first is silent`() async throws {
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
    func `name servers that are no addresses are refused at the start`(server: String) async throws {
        await #expect(throws: MediaFailure.self) {
            try await withNames({ _ in [] }, change: { $0.nameservers = [server] }, { _ in })
        }
    }

    @Test func `other settings ask other servers, and forget what was answered`() async throws {
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
