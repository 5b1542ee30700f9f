import AppGroupStore
import Base
import FoundationEssentials
import HTTPCaching
import NotificationModel

/// A record of an archive: a response of the HTTP cache, the renditions of a response, or pinned renditions.
enum ArchiveRecord: Equatable {
    struct Response: Equatable {
        var response: StoredResponse
        /// The digest of the body; `nil` if the response is stored without a body.
        var body: String?
    }

    struct Renditions: Equatable {
        var group: AppGroupName
        var key: RenditionKey
        var media: StoredRenditions
    }

    struct Pin: Equatable {
        var group: AppGroupName
        var key: PinKey
        /// The end of the pin, in whole seconds.
        var keepUntil: Date
        var media: StoredRenditions
    }

    case response(Response)
    case renditions(Renditions)
    case pin(Pin)

    /// The maximum size of a record, in bytes.
    static let maxBytes = 1 << 20

    var bytes: [UInt8] { JSONWriter.bytes(of: json) }

    /// Reads a record from its JSON. Throws a sentence about the first error in the record.
    init(_ bytes: [UInt8]) throws(RecordProblem) {
        let value: JSONValue
        do throws(JSONSyntaxError) { value = try JSONParser.value(of: bytes) } catch {
            throw RecordProblem("\(error)")
        }
        guard let object = value.object else { throw RecordProblem("it is \(value.typeName)") }
        let fields = RecordFields(object: object)
        switch try fields.text("type") {
        case "response": self = .response(try Response(fields))
        case "renditions": self = .renditions(try Renditions(fields))
        case "pin": self = .pin(try Pin(fields))
        case let other: throw RecordProblem("\"\(other)\" is not a type")
        }
    }

    private var json: JSONValue {
        switch self {
        case .response(let response): response.json
        case .renditions(let renditions): renditions.json
        case .pin(let pin): pin.json
        }
    }
}

/// The reason why a record is refused.
struct RecordProblem: Error, Equatable {
    let text: String

    init(_ text: String) { self.text = text }
}

/// The members of a record. Each member that is read must exist, and its value must be within its range.
struct RecordFields {
    let object: JSONObject

    /// Throws `RecordProblem` if a member is missing or repeated, or is neither a given nor an optional member.
    func checkKeys(_ keys: Set<String>, optional: Set<String> = []) throws(RecordProblem) {
        let found = Set(object.keys)
        guard found.subtracting(optional) == keys, object.keys.count == found.count else {
            throw RecordProblem("its members are not \(keys.sorted().joined(separator: ", "))")
        }
    }

    /// Returns a text of printable ASCII, of 1 to `most` characters.
    func text(_ key: String, most: Int = 256) throws(RecordProblem) -> String {
        guard let text = object[key]?.string, (1...most).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { throw RecordProblem("\(key) is not a text of 1 to \(most) characters") }
        return text
    }

    /// Returns a URL as a payload writes it. It may contain any characters except control characters.
    func reference(_ key: String) throws(RecordProblem) -> String {
        guard let text = object[key]?.string, (1...9_000).contains(text.utf8.count),
            text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { throw RecordProblem("\(key) is not a URL") }
        return text
    }

    func group() throws(RecordProblem) -> AppGroupName {
        guard let group = AppGroupName(try text("group")) else {
            throw RecordProblem("group is not a name of an app group")
        }
        return group
    }

    func optionalText(_ key: String, most: Int = 256) throws(RecordProblem) -> String? {
        object[key] == .null ? nil : try text(key, most: most)
    }

    func textIfPresent(_ key: String) throws(RecordProblem) -> String? { object[key] == nil ? nil : try text(key) }

    func value(_ key: String) -> JSONValue? { object[key] }

    func integer(_ key: String, in range: ClosedRange<Int>) throws(RecordProblem) -> Int {
        guard let integer = object[key]?.integer, range.contains(integer) else {
            throw RecordProblem("\(key) is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return integer
    }

    func optionalInteger(_ key: String, in range: ClosedRange<Int>) throws(RecordProblem) -> Int? {
        object[key] == .null ? nil : try integer(key, in: range)
    }

    /// Returns the bytes of a Base64 text.
    func bytes(_ key: String) throws(RecordProblem) -> [UInt8] {
        guard let text = object[key]?.string, let data = Data(base64Encoded: text) else {
            throw RecordProblem("\(key) is not Base64")
        }
        return Array(data)
    }

    func digest(_ key: String) throws(RecordProblem) -> String {
        guard let text = object[key]?.string, FileDigest.isDigest(text) else {
            throw RecordProblem("\(key) is not a digest")
        }
        return text
    }

    func list(_ key: String, most: Int) throws(RecordProblem) -> [RecordFields] {
        guard let values = object[key]?.array, (1...most).contains(values.count) else {
            throw RecordProblem("\(key) is not a list of 1 to \(most)")
        }
        var list: [RecordFields] = []
        for value in values {
            guard let object = value.object else { throw RecordProblem("\(key) has a value that is not an object") }
            list.append(RecordFields(object: object))
        }
        return list
    }
}
