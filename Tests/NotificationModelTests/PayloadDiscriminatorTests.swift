import Base
import Testing

@testable import NotificationModel

@Suite struct PayloadDiscriminatorTests {
    @Test(arguments: [
        ("vendor", #"{"vendor":{}}"#, true), ("vendor", #"{"vendor":false}"#, true),
        ("vendor", #"{"vendor":""}"#, true),
        ("vendor", #"{"vendor":null}"#, false), ("vendor", "{}", false),
        (#"com\.vendor.id"#, #"{"com.vendor":{"id":1}}"#, true), (#"com\.vendor.id"#, #"{"com.vendor":7}"#, false),
        ("media[].url", #"{"media":[7,{"url":"u"}]}"#, true), ("media[].url", #"{"media":[]}"#, false),
        ("source == acme", #"{"source":"acme"}"#, true), ("source=acme", #"{"source":"acme"}"#, true),
        ("  source  =  acme  ", #"{"source":"acme"}"#, true), ("source == acme", #"{"source":"Acme"}"#, false),
        ("source == acme", #"{"source":["acme"]}"#, false), ("source == acme", "{}", false),
        ("v == 2", #"{"v":2}"#, true), ("v == 2", #"{"v":2.0}"#, true), ("v == 2", #"{"v":"2"}"#, true),
        ("v == 2", #"{"v":3}"#, false), (#"v == "2""#, #"{"v":"2"}"#, true), (#"v == "2""#, #"{"v":2}"#, false),
        ("v == true", #"{"v":true}"#, true), ("v == true", #"{"v":false}"#, false), ("v == true", #"{"v":1}"#, false),
        ("v == null", #"{"v":null}"#, false), ("v == a=b", #"{"v":"a=b"}"#, true),
        (#"v\=w == x"#, #"{"v=w":"x"}"#, true),
        (#"v == " a""#, #"{"v":" a"}"#, true), ("v == x y", #"{"v":"x y"}"#, true),
        ("list[].k == x", #"{"list":[{"k":"y"},{"k":"x"}]}"#, true), ("list[].k == x", #"{"list":[{"k":"y"}]}"#, false),
        (#"v\ == x"#, #"{"v ":"x"}"#, true),
    ])
    func `a rule matches exactly the payloads that meet its condition`(rule: String, payload: String, fits: Bool) throws
    {
        let discriminator = try PayloadDiscriminator(rule)
        #expect(discriminator.matches(JSONNode(try JSONParser.value(of: payload))) == fits)
        #expect(discriminator.description == rule)
    }

    @Test(arguments: [
        ("", 1, "the key path is empty"), ("a..b", 3, "a key is missing"), ("a..b == c", 3, "a key is missing"),
        ("  a..b == c", 5, "a key is missing"), ("== c", 1, "the key path is empty"),
        ("a ==", 5, "a value is missing after the ="), ("a =  ", 6, "a value is missing after the ="),
        (#"a == "b"#, 6, "a value that begins with a quote must be a JSON string"),
        (#"a == "b" c"#, 6, "a value that begins with a quote must be a JSON string"),
    ])
    func `an error in a rule is reported with its position in the rule`(rule: String, position: Int, problem: String) {
        let error = #expect(throws: KeyPathError.self) { _ = try PayloadDiscriminator(rule) }
        #expect(error == KeyPathError(text: rule, position: position, problem: problem))
    }
}
