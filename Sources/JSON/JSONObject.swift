/// An object's members in the order in which they were written. Of a repeated key the last one counts.
package struct JSONObject: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    package struct Member: Sendable, Equatable {
        package var key: String
        package var value: JSONValue
    }

    /// From so many members on keys are looked up by a table: who sends a hundred thousand of them must not make each
    /// look-up cost a hundred thousand comparisons.
    private static let smallest = 32

    package private(set) var members: [Member]
    /// The last place of each key, in larger objects.
    private var places: [String: Int]?

    package init() { members = [] }

    package init(members: [Member]) {
        self.members = members
        if members.count >= Self.smallest { places = Self.places(of: members) }
    }

    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(members: elements.map { Member(key: $0.0, value: $0.1) })
    }

    package static func == (one: JSONObject, other: JSONObject) -> Bool { one.members == other.members }

    package var isEmpty: Bool { members.isEmpty }
    package var keys: [String] { members.map(\.key) }

    package subscript(key: String) -> JSONValue? { lastIndex(of: key).map { members[$0].value } }

    package mutating func append(_ key: String, _ value: JSONValue) {
        members.append(Member(key: key, value: value))
        if places != nil {
            places?[key] = members.count - 1
        } else if members.count == Self.smallest {
            places = Self.places(of: members)
        }
    }

    /// Changes the value that counts of a key. A key that is not there is left alone.
    mutating func replaceLast(_ key: String, _ change: (JSONValue) -> JSONValue) {
        guard let index = lastIndex(of: key) else { return }
        members[index].value = change(members[index].value)
    }

    func lastIndex(of key: String) -> Int? {
        if let places { return places[key] }
        return members.lastIndex { $0.key == key }
    }

    private static func places(of members: [Member]) -> [String: Int] {
        Dictionary(members.enumerated().map { ($1.key, $0) }) { _, last in last }
    }
}
