import Base
import Foundation
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// The tests against `scripts/address-oracle`, which classifies addresses by IANA's registries and does not use the
/// code of the daemon.
///
/// The sample was made with `--count 20000 --seed 20251009`. `make check-addresses` makes a million other addresses,
/// and passes their file in `APPGROUPD_ADDRESSES`.
@Suite struct AddressOracleTests {
    private static let verdicts: [Substring: Bool] = ["public": true, "refused": false]

    @Test func `the address policy agrees with IANA's registries for each tested address`() throws {
        let path =
            ProcessInfo.processInfo.environment["APPGROUPD_ADDRESSES"] ?? Fixtures.directory + "/iana/addresses.csv"
        let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        var counts = (isPublic: 0, isRefused: 0)
        var differences: [Substring] = []
        for line in text.utf8.split(separator: UInt8(ascii: "\n")).map(Substring.init) {
            let cells = line.split(separator: ",")
            let address = try #require(cells.first.flatMap { IPAddress(String($0)) }, "\(line)")
            let isPublic = try #require(Self.verdicts[cells.last ?? ""] as Bool?, "\(line)")
            if isPublic { counts.isPublic += 1 } else { counts.isRefused += 1 }
            if AddressPolicy.isPublic(address) != isPublic { differences.append(line) }
        }
        #expect(differences.isEmpty, "\(differences.count), such as \(differences.prefix(20).joined(separator: "; "))")
        // The sample must have many addresses of both classes.
        #expect(min(counts.isPublic, counts.isRefused) >= 5_000)
    }
}
