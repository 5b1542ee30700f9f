package import Base
import Foundation
package import FoundationEssentials
package import NotificationModel

/// A request of `fixtures/seeds`, with the results of its media, the expected part of the content, and the rules of
/// `lint` that report the request. The files are named after the sender and the behaviour.
package struct SeedFixture: Sendable, CustomStringConvertible {
    /// The result for a media item whose URL the fixture names. All other items are ready.
    package enum Ending: String, Sendable {
        case missing
        case stalled
        /// The budget leaves time only for a still of the item.
        case still
        /// Another push of the message has fetched the item.
        case kept
    }

    /// The time at which the requests arrive.
    package static let now = Date(timeIntervalSince1970: 1_800_000_000)

    package let name: String
    /// The envelope of the request.
    package let request: JSONObject
    package let media: [String: Ending]
    /// The value of `push.says` in the configuration.
    package let says: ForwardedTexts
    /// The time that passes while media are stalled.
    package let delay: Duration
    package let expected: JSONValue
    /// The rules that report an error or a warning.
    package let lint: [String]

    package var description: String { name }

    package static func all() throws -> [SeedFixture] {
        try FileManager.default.contentsOfDirectory(atPath: Fixtures.directory + "/seeds").sorted().map { file in
            let node = JSONNode(try JSONParser.value(of: Fixtures.bytes("seeds/\(file)")))
            return SeedFixture(
                name: String(file.dropLast(".json".count)), request: node["request"].object ?? [:],
                media: Dictionary(
                    uniqueKeysWithValues: node["media"].members.map { ($0.key, Ending(rawValue: $0.node.text ?? "")!) }),
                says: ForwardedTexts(rawValue: node["says"].text ?? "") ?? .success,
                delay: node["after"].text.flatMap(DurationText.parse) ?? .zero,
                expected: node["expect"].value ?? [:], lint: node["lint"].elements.compactMap(\.text))
        }
    }
}

extension JSONValue {
    /// Returns the paths at which this value differs from the expected value. Objects may have more members, but arrays
    /// must have the same number of elements.
    package func differences(from expected: JSONValue, at path: JSONPath = .root) -> [String] {
        switch (self, expected) {
        case (.object(let own), .object(let others)):
            return others.members.flatMap { member in
                let place = path.appending(.key(member.key))
                return own[member.key]?.differences(from: member.value, at: place) ?? ["\(place) is missing"]
            }
        case (.array(let own), .array(let others)) where own.count == others.count:
            return zip(own, others).enumerated().flatMap { index, pair in
                pair.0.differences(from: pair.1, at: path.appending(.index(index)))
            }
        case (.number(let own), .number(let other)) where own.double == other.double: return []
        case _ where self == expected: return []
        default: return ["\(path) is \(JSONWriter.text(of: self)), not \(JSONWriter.text(of: expected))"]
        }
    }
}
