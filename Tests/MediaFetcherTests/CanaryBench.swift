import Base
import Glibc
import HTTPCaching
import HTTPTypes
import Lab
import LinuxIO
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// A fixture with a real fetcher, an origin that the fetcher may reach, and a canary on the same port that the fetcher
/// must not reach.
///
/// No packet can leave this machine, whatever the fetcher does. ``LoopbackNames`` resolves all names, and has only
/// loopback addresses. The URLs contain a name, or a ``Spelling``, which is this machine in every interpretation. A
/// public address of a case is represented by `open`, the address of the origin, which is in an allowed range. All
/// other addresses are represented by `closed`, the address of the canary. The port is an allowed one, so that only the
/// addresses decide.
struct CanaryBench: ~Copyable {
    static let open = LoopbackAddress(0, 0, 1)
    static let closed = LoopbackAddress(0, 0, 2)

    let origin: MisbehavingOrigin
    let canary: Canary
    let names: LoopbackNames
    let fetcher: HTTPMediaFetcher

    static func with(
        names answers: [String: [[LoopbackAddress]]], allowing ranges: [String] = [CanaryBench.open.text],
        _ body: (borrowing CanaryBench) async throws -> Void
    ) async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let canary = try Canary(at: closed, port: try #require(UInt16(exactly: origin.port)))
            var policy = FetchPolicy()
            policy.addresses = AddressPolicy(
                allowed: ranges.compactMap(AddressRange.init),
                ports: AddressPolicy.standardPorts.union([canary.port]))
            let names = LoopbackNames(answers)
            let fetcher = try HTTPMediaFetcher(policy: policy, resolver: names, userAgent: "appgroupd-tests")
            let bench = CanaryBench(origin: origin, canary: canary, names: names, fetcher: fetcher)
            do { try await body(bench) } catch {
                await fetcher.shutdown()
                throw error
            }
            await fetcher.shutdown()
        }
    }

    /// Fetches a path from a host by name.
    ///
    /// - Parameter port: the port; `nil` for the port of the origin.
    func fetch(
        _ name: String, _ path: String = "/photo-small.jpg", port: UInt16? = nil, within budget: Duration = .seconds(20)
    ) async -> DegradationReason? {
        await fetch(url: "http://\(name):\(port.map(Int.init) ?? origin.port)\(path)", within: budget)
    }

    /// Fetches a file from the origin by a spelling of its address.
    func fetch(_ spelling: Spelling) async -> DegradationReason? {
        await fetch(url: "http://\(spelling.rawValue):\(origin.port)/photo-small.jpg")
    }

    /// Posts a body to a host by name, under a policy of its own.
    func post(_ name: String, _ path: String) async -> Result<Int, MediaFailure> {
        var policy = FetchPolicy()
        policy.addresses = AddressPolicy(
            allowed: [Self.open.text].compactMap(AddressRange.init),
            ports: AddressPolicy.standardPorts.union([canary.port]))
        let result = await fetcher.forward(
            OriginRequest(.post, "http://\(name):\(origin.port)\(path)", body: Array("{}".utf8)),
            until: .now.advanced(by: .seconds(20)), largest: 1 << 20, under: policy
        ) { () throws(MediaFailure) in
            do throws(SystemError) { return try AnonymousFile.createInMemory() } catch {
                throw MediaFailure(.storageFailed, "no file: \(error)")
            }
        }
        return result.map(\.head.status)
    }

    /// The spellings of this machine's address. Every parser that accepts a spelling as an address reads it as the
    /// address of this machine. `0177.0.0.1` is not listed, because some parsers read it as 177.0.0.1.
    enum Spelling: String, CaseIterable {
        case plain = "127.0.0.1"
        case rootDot = "127.0.0.1."
        case twoParts = "127.1"
        case threeParts = "127.0.1"
        case decimal = "2130706433"
        case hexadecimal = "0x7f000001"
        case hexadecimalParts = "0x7f.0x0.0x0.0x1"
        case unspecified = "0.0.0.0"
        case mapped = "[::ffff:127.0.0.1]"
        case mappedInHexadecimal = "[::ffff:7f00:1]"
    }

    private func fetch(url: String, within budget: Duration = .seconds(20)) async -> DegradationReason? {
        let result = await fetcher.fetch(
            FetchRequest(url: url, deadline: .now.advanced(by: budget), trace: StageTrace()) {
                () throws(MediaFailure) in
                do throws(SystemError) { return try AnonymousFile.create(in: "/tmp") } catch {
                    throw MediaFailure(.storageFailed, "no file: \(error)")
                }
            })
        if case .failure(let failure) = result { return failure.reason }
        return nil
    }
}
