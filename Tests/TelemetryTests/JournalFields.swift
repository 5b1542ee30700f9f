/// The fields of a message of the journal's native protocol, read as the description of the protocol says.
struct JournalFields {
    struct Malformed: Error {}

    private var values: [String: [String]] = [:]

    var names: [String] { values.keys.sorted() }
    var count: Int { values.values.reduce(0) { $0 + $1.count } }

    subscript(name: String) -> [String]? { values[name] }

    init(of message: [UInt8]) throws {
        var rest = message[...]
        while !rest.isEmpty {
            let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "\n") }
            rest = rest.dropFirst(name.count)
            guard !name.isEmpty, let separator = rest.popFirst() else { throw Malformed() }
            let value: ArraySlice<UInt8>
            if separator == UInt8(ascii: "=") {
                value = rest.prefix { $0 != UInt8(ascii: "\n") }
            } else {
                guard rest.count >= 8 else { throw Malformed() }
                let length = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
                rest = rest.dropFirst(8)
                guard rest.count > length else { throw Malformed() }
                value = rest.prefix(length)
            }
            rest = rest.dropFirst(value.count)
            guard rest.popFirst() == UInt8(ascii: "\n") else { throw Malformed() }
            let isName = name.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
            guard isName, name.first != 0x5F else { throw Malformed() }
            values[String(decoding: name, as: UTF8.self), default: []].append(String(decoding: value, as: UTF8.self))
        }
    }
}
