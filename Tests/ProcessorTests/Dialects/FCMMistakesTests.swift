import Base
import NotificationModel
import NotificationProcessor
import Testing

/// Tests that the result reports mistakes in a message to FCM, whichever sender's keys the message has.
@Suite struct FCMMistakesTests {
    private func problems(_ message: String) throws -> [PayloadProblem] {
        let text = #"{"message":{"token":"t",\#(message)}}"#
        return DialectTable.standard.read(try #require(try JSONParser.value(of: text).object)).problems
    }

    private static let options = #""fcm_options":{"image":"https://a.example/1.jpg"}"#
    private static let text = #""notification":{"title":"T"}"#
    private static let slip = #""data":{"push_id":"p","route":"chats"}"#

    @Test(arguments: [
        (options + "," + text, "/message/fcm_options"),
        (#""notification":{"title":"T",\#(options)}"#, "/message/notification/fcm_options"),
        (#""apns":{"payload":{"aps":{"alert":"x"},\#(options)}}"#, "/message/apns/payload/fcm_options"),
        (#""webpush":{\#(options)},\#(text)"#, "/message/webpush/fcm_options"),
    ])
    func `misplaced options whose image FCM ignores are reported with their path`(
        _ message: String, _ place: String
    ) throws {
        let problems = try problems(message)
        #expect(problems.map(\.rule) == ["fcm-options-place"])
        #expect(problems.map(\.place.description) == [place])
    }

    @Test(arguments: [
        #""apns":{\#(options)},"webpush":{\#(options)},\#(text)"#, #""webpush":{"fcm_options":{"link":"x"}},\#(text)"#,
    ])
    func `options that FCM reads are not reported`(_ message: String) throws {
        #expect(try problems(message) == [])
    }

    @Test(arguments: [
        (#"\#(slip),"apns":{"payload":{\#(options)}},\#(text)"#, ["sendios-route", "fcm-options-place"]),
        (#""apns":{"payload":{\#(options)}},\#(slip),\#(text)"#, ["fcm-options-place", "sendios-route"]),
        (
            #"\#(options),"apns":{"payload":{"fcm_options":{"image":"https://a.example/2.jpg"}}},\#(slip),\#(text)"#,
            ["fcm-options-place", "fcm-options-place", "sendios-route"]
        ),
        (
            #""data":{"notifee":"{","appear2mee":"x"},"apns":{"payload":{\#(options)}},\#(text)"#,
            ["fcm-data-json", "2mee-unreadable", "fcm-options-place"]
        ),
    ])
    func `problems are sorted by their position in the payload`(_ message: String, _ rules: [String]) throws {
        #expect(try problems(message).map(\.rule).filter { rules.contains($0) } == rules)
    }

    @Test(arguments: [
        "notifee", "notifee_options", "sendbird", "ejson", "_wp", "_sw", "com.batch", "com.urbanairship.actions",
        "custom",
        "content", "actionButtons", "message", "actions", "attributes", "mp", "o", "c.b", "mp_ontap",
    ])
    func `truncated JSON in a string of the data is reported`(_ key: String) throws {
        let problems = try problems(#""data":{"\#(key)":"{\"title\": \"T"},\#(Self.text)"#)
        #expect(problems.map(\.rule) == ["fcm-data-json"])
        #expect(problems.map(\.place.description) == ["/message/data/\(key)"])
        #expect(problems.first?.text.hasPrefix("\(key) is a string that is not JSON: ") == true, "\(problems)")
    }

    @Test(arguments: [
        #""content":"hello""#, #""message":"{name} says hi""#, #""custom":"""#, #""actions":"[1] news""#,
        #""content":"{\"a\":1}""#, #""notifee":"{\"title\":\"T\"}""#, #""payload":"{\"a\":""#,
    ])
    func `a text, complete JSON, and truncated JSON at an unknown key are not reported in the data`(
        _ member: String
    ) throws {
        #expect(try problems(#""data":{\#(member)},\#(Self.text)"#) == [])
    }

    @Test func `the data of Android and of the legacy API are also checked`() throws {
        #expect(try problems(#""android":{"data":{"notifee":"{"}}"#).map(\.rule) == ["fcm-data-json"])
        let legacy = try #require(try JSONParser.value(of: #"{"to":"x","data":{"notifee":"{"}}"#).object)
        #expect(DialectTable.standard.read(legacy).problems.map(\.place.description) == ["/data/notifee"])
    }
}
