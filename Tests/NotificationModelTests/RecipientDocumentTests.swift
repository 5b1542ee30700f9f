import Base
import FoundationEssentials
import NotificationModel
import Testing

@Suite struct RecipientDocumentTests {
    private let date = Date(timeIntervalSince1970: 1_800_000_000)

    private static func object(_ text: String) throws -> JSONObject { try #require(JSONParser.value(of: text).object) }

    private func patched(_ document: RecipientDocument, _ patch: String) throws -> RecipientDocument {
        try document.patched(by: Self.object(patch), of: "anna", at: date)
    }

    @Test func `a document has permissions, a language, names and labels`() throws {
        let text =
            #"{"permissions":{"service":false,"sound":true},"locale":"de-AT","names":["a","b","a"],"labels":["beta"],"id":"x","version":3}"#
        let document = try RecipientDocument(Self.object(text))
        #expect(document.settings[.service] == false)
        #expect(document.settings[.sound] == true)
        #expect(document.settings[.download] == nil)
        #expect(document.settings.locale == "de-AT")
        #expect(document.names == ["a", "b"])
        #expect(document.labels == ["beta"])
        #expect(try RecipientDocument(document.members) == document)
    }

    @Test(
        arguments: [
            (#"{"permission":{}}"#, "did you mean permissions?"), (#"{"permissions":[]}"#, "an array, not an object"),
            (#"{"permissions":{"sevice":true}}"#, "permissions.sevice"),
            (#"{"permissions":{"sound":1}}"#, "true or false"),
            (#"{"locale":"no language"}"#, "language tag"), (#"{"names":"a"}"#, "not an array"),
            (#"{"names":[1]}"#, "1 to 256 characters"), (#"{"names":["a\u0007"]}"#, "1 to 256 characters"),
            (#"{"names":["a","b","c","d","e","f","g","h","i","j","k","l","m","n","o","p"]}"#, "more than 15"),
            (#"{"labels":[""]}"#, "1 to 128 characters"),
        ])
    func `a wrong document is refused with its key`(_ text: String, _ part: String) throws {
        let object = try Self.object(text)
        let error = #expect(throws: RecipientError.self) { _ = try RecipientDocument(object) }
        #expect(error?.description.contains(part) == true, "\(String(describing: error))")
    }

    @Test func `a merge patch changes only the members that it names`() throws {
        var document = try patched(
            RecipientDocument(), #"{"permissions":{"service":false,"sound":false},"names":["t"]}"#)
        document = try patched(document, #"{"permissions":{"sound":null},"locale":"fr"}"#)
        #expect(document.settings[.service] == false)
        #expect(document.settings[.sound] == nil)
        #expect(document.settings.locale == "fr")
        #expect(document.names == ["t"])
        document = try patched(document, #"{"locale":null,"names":null}"#)
        #expect(document.settings.locale == nil)
        #expect(document.names.isEmpty)
    }

    @Test func `a replaced token keeps its recipient, and its replacement becomes a name`() throws {
        var document = try patched(RecipientDocument(), #"{"names":["old"],"pushkeys":{"old":"new","gone":null}}"#)
        #expect(document.names == ["new"])
        #expect(
            document.dead == [
                .init(name: "old", since: date, replacement: "new"), .init(name: "gone", since: date, replacement: nil),
            ])
        document = try patched(document, #"{"names":["new","gone"]}"#)
        #expect(document.dead.map(\.name) == ["old"], "a token that is named again is alive")
    }

    @Test func `a recipient has at most 16 dead names, the newest ones`() throws {
        var document = RecipientDocument()
        for number in 0..<20 { document = try patched(document, #"{"pushkeys":{"\#(number)":null}}"#) }
        #expect(document.dead.map(\.name) == (4..<20).map { "\($0)" })
    }

    @Test(arguments: [
        #"{"pushkeys":[]}"#, #"{"pushkeys":{"a":1}}"#, #"{"pushkeys":{"a":"a"}}"#, #"{"pushkeys":{"":null}}"#,
    ])
    func `a wrong report of tokens is refused`(_ patch: String) {
        #expect(throws: RecipientError.self) { _ = try patched(RecipientDocument(), patch) }
    }
}
