import Foundation
import ImageQuality
import TestSupport

/// The results of Pillow for the images of `fixtures/media` (`scripts/picture-oracle --fixtures`).
struct ImageOracle: Decodable {
    let pictures: [OracleLine]

    static func ofFixtures() throws -> ImageOracle {
        try JSONDecoder().decode(Self.self, from: Data(try Fixtures.bytes("oracle.json")))
    }

    func sighting(of name: String) throws -> ImageSighting {
        guard let line = pictures.first(where: { $0.path == name }) else {
            throw OracleRefusal(why: "\(name) is not in oracle.json: scripts/picture-oracle --fixtures writes it")
        }
        return try line.result.get()
    }
}
