import Glibc
import NotificationModel

/// A DNS question as the server received it. The value can build answers to its question (RFC 1035 §4).
struct DNSQuestion: Sendable {
    static let a: UInt16 = 1
    static let cname: UInt16 = 5
    static let aaaa: UInt16 = 28

    let id: UInt16
    let name: String
    let type: UInt16
    /// Whether the question came over TCP.
    let isStream: Bool
    /// The address to which a UDP answer is sent.
    let sender: sockaddr_in
    /// The bytes of the question section, which an answer repeats.
    let section: [UInt8]

    init?(_ message: [UInt8], isStream: Bool, from sender: sockaddr_in) {
        guard message.count > 12 else { return nil }
        var labels: [String] = []
        var place = 12
        while place < message.count, message[place] != 0 {
            let end = place + 1 + Int(message[place])
            guard end < message.count else { return nil }
            labels.append(String(decoding: message[(place + 1)..<end], as: UTF8.self))
            place = end
        }
        guard place + 5 <= message.count else { return nil }
        id = UInt16(message[0]) << 8 | UInt16(message[1])
        name = labels.joined(separator: ".")
        type = UInt16(message[place + 1]) << 8 | UInt16(message[place + 2])
        section = Array(message[12..<(place + 5)])
        self.isStream = isStream
        self.sender = sender
    }

    /// Returns an answer with the aliases and with the records of the type of the question.
    func answer(_ records: [DNSRecord] = [], code: UInt8 = 0, isTruncated: Bool = false, id: UInt16? = nil) -> [UInt8] {
        let reported = records.filter { $0.type == type || $0.type == Self.cname }
        return Self.header(id: id ?? self.id, code: code, isTruncated: isTruncated, records: reported.count) + section
            + reported.flatMap { $0.bytes }
    }

    static func header(id: UInt16, code: UInt8 = 0, isTruncated: Bool = false, records: Int) -> [UInt8] {
        bytes(id) + [isTruncated ? 0x83 : 0x81, 0x80 | code] + bytes(1) + bytes(UInt16(records)) + [0, 0, 0, 0]
    }

    static func bytes(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xff)] }

    static func bytes(name: String) -> [UInt8] {
        name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
    }
}

/// A resource record of an answer.
struct DNSRecord: Sendable {
    var type: UInt16
    var ttl: UInt32
    var data: [UInt8]
    /// The name that the record belongs to. If `nil`, the record belongs to the name of the question.
    var owner: String?

    static func a(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8, ttl: UInt32 = 300, of owner: String? = nil) -> Self {
        DNSRecord(type: DNSQuestion.a, ttl: ttl, data: [a, b, c, d], owner: owner)
    }

    /// Creates a record with the address `::n`.
    static func aaaa(_ last: UInt8, ttl: UInt32 = 300, of owner: String? = nil) -> Self {
        DNSRecord(type: DNSQuestion.aaaa, ttl: ttl, data: [UInt8](repeating: 0, count: 15) + [last], owner: owner)
    }

    static func alias(_ owner: String? = nil, of name: String, ttl: UInt32 = 300) -> Self {
        DNSRecord(type: DNSQuestion.cname, ttl: ttl, data: DNSQuestion.bytes(name: name), owner: owner)
    }

    var bytes: [UInt8] {
        // 0xc00c is a pointer to the name of the question, which follows the header.
        (owner.map(DNSQuestion.bytes(name:)) ?? [0xc0, 0x0c]) + DNSQuestion.bytes(type) + [0, 1]
            + DNSQuestion.bytes(UInt16(ttl >> 16)) + DNSQuestion.bytes(UInt16(ttl & 0xffff))
            + DNSQuestion.bytes(UInt16(data.count)) + data
    }
}
