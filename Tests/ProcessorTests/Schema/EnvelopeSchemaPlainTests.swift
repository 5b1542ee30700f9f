import Base
import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import NotificationProcessor

/// Checks of `docs/schema/envelope.schema.json` against the reader. Both accept the same envelopes.
///
/// Only the reader checks the dialects of an installation, the limit of an hour for a deadline, and the values of the
/// submission, because these do not belong to the envelope.
@Suite struct EnvelopeSchemaPlainTests {
    private let schema: DocumentedSchema
    /// The date 2027-01-15T08:00:00Z.
    private let arrival = ClockReading(instant: .now, date: Date(timeIntervalSince1970: 1_800_000_000))

    init() throws { schema = try .envelope() }

    /// Returns whether a value is read as an envelope, and is usable.
    private func isTaken(_ value: JSONValue) -> Bool {
        guard let object = value.object else { return false }
        let reader = EnvelopeReader(
            defaults: RequestDefaults(),
            dialects: DialectTable(
                dialects: (DialectTable.standard.identifiers + ["x", "acme"]).map(NamedDialect.init)))
        let (request, error) = reader.request(from: Submission(object: object, arrival: arrival))
        return error == nil && object["payload"] != nil && object["payload"]?.object == request.payload
    }

    @Test(arguments: EnvelopeSamples.taken)
    func `an envelope that the reader accepts is valid`(text: String) throws {
        let value = try JSONParser.value(of: text)
        #expect(isTaken(value))
        #expect(schema.violations(of: value) == [])
    }

    @Test(arguments: EnvelopeSamples.refused)
    func `an object that the reader refuses or reads as a bare payload is an invalid envelope`(text: String) throws {
        let value = try JSONParser.value(of: text)
        #expect(!isTaken(value))
        #expect(!schema.violations(of: value).isEmpty)
    }

    @Test(arguments: [nil, true, 7, "x", [], [["payload": [:]]]] as [JSONValue])
    func `the schema rejects a value that is not an object`(value: JSONValue) {
        #expect(!schema.violations(of: value).isEmpty)
    }

    @Test func `reader and schema agree on an envelope with any value replaced by any other`() throws {
        let mutations = JSONMutations.all(of: try JSONParser.value(of: EnvelopeSamples.full))
        #expect(mutations.count > 300)
        var taken = 0
        for mutation in mutations where mutation.object != nil {
            if isTaken(mutation) { taken += 1 }
            let isValid = schema.violations(of: mutation).isEmpty
            #expect(isValid == isTaken(mutation), "\(JSONWriter.text(of: mutation))")
        }
        #expect(taken > 100)
    }

    @Test(arguments: ["ms", "s", "m", "h", "d", "", "S", "us", "min", "s "])
    func `reader and schema agree on every length of a budget`(unit: String) {
        var generator = SeededGenerator(seed: 5)
        let random = [9, 99, 4_000, 4_000_000].flatMap { most in
            ["", "0", "00"].flatMap { zeros in
                (0..<40).map { _ in
                    let whole = Int.random(in: 0...most, using: &generator)
                    return "\(zeros)\(whole).\(zeros)\(Int.random(in: 0...99_999, using: &generator))"
                }
            }
        }
        for number in EnvelopeSamples.numbers + random {
            let value: JSONValue = ["budget": .string(number + unit), "payload": [:]]
            #expect(schema.violations(of: value).isEmpty == isTaken(value), "\(number)\(unit)")
        }
    }

    @Test func `the reader and the schema have the same keys and enumeration values`() throws {
        #expect(Set(try #require(schema.value["properties"]?.object).keys) == Set(EnvelopeKeys.all))
        #expect(try schema.words("properties", "profile") == MediaProfile.all.map(\.name))
        #expect(try schema.words("properties", "onExpiry") == ExpiryPolicy.allCases.map(\.rawValue))
        #expect(try schema.words("properties", "network") == NetworkKind.allCases.map(\.rawValue))
        #expect(try schema.numbers("properties", "priority") == [10, 5, 1])
        let permissions = try #require(schema.value["properties"]["permissions"]["properties"]?.object).keys
        var set = Permissions()
        #expect(permissions == Permissions.names + ["unknownNetwork"])
        #expect(permissions.dropLast().allSatisfy { set.set($0, true) })
        let networks = try schema.words("properties", "permissions", "properties", "unknownNetwork")
        #expect(networks == NetworkKind.allCases.map(\.rawValue))
    }

    @Test func `every dialect of the program has a valid name`() {
        #expect(DialectTable.standard.identifiers.count > 20)
        for dialect in DialectTable.standard.identifiers {
            let value: JSONValue = ["dialect": .string(dialect.description), "payload": [:]]
            #expect(schema.violations(of: value) == [] && isTaken(value), "\(dialect)")
        }
    }

    @Test func `every key has a description`() {
        #expect(schema.undescribed == [])
    }
}

/// A dialect that can be requested by its name, and recognises no payload.
private struct NamedDialect: Dialect {
    var marks: [[String]] { [] }
    let id: DialectID

    init(_ id: DialectID) { self.id = id }

    func detect(_ payload: PayloadLayout) -> String? { nil }
    func read(_ payload: JSONNode) -> PushPayload { PushPayload() }
}
