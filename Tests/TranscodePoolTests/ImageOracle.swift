import Foundation
import ImageQuality
import TestSupport

/// The results of Pillow for the images of `fixtures/media` (`scripts/picture-oracle --fixtures`).
struct ImageOracle: Decodable {
    let images: [OracleLine]

    private enum CodingKeys: String, CodingKey { case images = "pictures" }

    static func ofFixtures() throws -> ImageOracle {
        try JSONDecoder().decode(Self.self, from: Data(try Fixtures.bytes("oracle.json")))
    }

    func observed(of name: String) throws -> ObservedImage {
        guard let line = images.first(where: { $0.path == name }) else {
            throw OracleRefusal(why: "\(name) is not in oracle.json: scripts/picture-oracle --fixtures writes it")
        }
        return try line.result.get()
    }
}
