import FoundationEssentials
import HTTPCaching
import JSON
import NotificationModel

/// A record of an archive: a response of the HTTP cache, the renditions that were made of one, or renditions that are pinned.
enum ArchiveRecord: Equatable {
    struct Response: Equatable {
        var response: StoredResponse
        /// Digest of the body; `nil` if it is stored without one.
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
        /// Whole seconds.
        var keepUntil: Date
        var media: StoredRenditions
    }

    case response(Response)
    case renditions(Renditions)
    case pin(Pin)

    /// Most bytes of a record.
    static let mostBytes = 1 << 20

    var bytes: [UInt8] { JSONWriter.bytes(of: json) }

    /// - Throws: a sentence about what is wrong with the record.
    init(_ bytes: [UInt8]) throws(RecordProblem) {
        let value: JSONValue
        do throws(JSONSyntaxError) { value = try JSONParser.value(of: bytes) } catch {
            throw RecordProblem("\(error)")
        }
        guard let object = value.object else { throw RecordProblem("it is \(value.typeName)") }
        let fields = RecordFields(object)
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

/// Why a record is refused.
struct RecordProblem: Error, Equatable {
    let text: String

    init(_ text: String) { self.text = text }
}

/// The members of a record. All that are read must be there, with values in their bounds.
struct RecordFields {
    private let object: JSONObject

    init(_ object: JSONObject) { self.object = object }

    /// - Throws: if there is a member that nobody reads, or one twice.
    func checkKeys(_ keys: Set<String>, optional: Set<String> = []) throws(RecordProblem) {
        let found = Set(object.keys)
        guard found.subtracting(optional) == keys, object.keys.count == found.count else {
            throw RecordProblem("its members are not \(keys.sorted().joined(separator: ", "))")
        }
    }

    /// Printable ASCII.
    func text(_ key: String, most: Int = 256) throws(RecordProblem) -> String {
        guard let text = object[key]?.string, (1...most).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { throw RecordProblem("\(key) is not a text of 1 to \(most) characters") }
        return text
    }

    /// A URL as a payload writes it: any characters but controls.
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

    func textIfPresent(_ key: String) throws(RecordProblem) -> String? {
        object[key] == nil ? nil : try text(key)
    }

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

    /// Bytes as Base64.
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
            list.append(RecordFields(object))
        }
        return list
    }
}
