/// The members of an object in their written order. If a key is repeated, its last value takes precedence.
package struct JSONObject: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    package struct Member: Sendable, Equatable {
        package var key: String
        package var value: JSONValue
    }

    /// The smallest number of members for which keys are looked up in a table. Without it, each look-up in an object of
    /// a hundred thousand members would make a hundred thousand comparisons.
    private static let smallest = 32

    package private(set) var members: [Member]
    /// The last index of each key; `nil` if the object has fewer members than `smallest`.
    private var places: [String: Int]?

    package init() { members = [] }

    package init(members: [Member]) {
        self.members = members
        if members.count >= Self.smallest { places = Self.places(of: members) }
    }

    package init(_ members: [(String, JSONValue)]) {
        self.init(members: members.map { Member(key: $0, value: $1) })
    }

    package init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }

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

    /// Changes the value of a key, the last one if the key is repeated. Without the key, nothing changes.
    mutating func replaceLast(_ key: String, _ change: (JSONValue) -> JSONValue) {
        guard let index = lastIndex(of: key) else { return }
        members[index].value = change(members[index].value)
    }

    func lastIndex(of key: String) -> Int? {
        if let places { return places[key] }
        // An index borrows each member, and an iterator would copy it.
        return members.indices.last { members[$0].key == key }
    }

    private static func places(of members: [Member]) -> [String: Int] {
        Dictionary(members.enumerated().map { ($1.key, $0) }) { _, last in last }
    }
}
