import Foundation
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// `scripts/address-oracle` says of each address what IANA's registries say; it knows nothing of this program's rule.
///
/// The sample is `--count 20000 --seed 20251009`. `make check-addresses` makes a million others and names their file in
/// `APPGROUPD_ADDRESSES`.
@Suite struct AddressOracleTests {
    private static let verdicts: [Substring: Bool] = ["public": true, "refused": false]

    @Test func `the rule says of every address what the registries say`() throws {
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
        // Neither verdict is rare, or the sample shows little.
        #expect(min(counts.isPublic, counts.isRefused) >= 5_000)
    }
}
