import Authentication
import FoundationEssentials
import Testing

/// Tests of the signatures of callbacks (Standard Webhooks 1.0).
@Suite struct WebhookKeysTests {
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    private static let body = Array(#"{"test": 2432232314}"#.utf8)
    private static let id = "msg_p5jXN8AQM9LWM0D4loKWxJek"
    private static let time = 1_614_265_330
    private static let now = Date(timeIntervalSince1970: Double(time))
    /// A key of 32 bytes, and the same key with its public key.
    private static let seed = Data((0..<32).map { UInt8($0) })

    private static func check(
        _ keys: WebhookKeys, _ body: [UInt8] = body, id: String? = id, time: String? = "\(time)",
        signatures: String?, after seconds: TimeInterval = 0
    ) throws(WebhookKeys.Refusal) {
        try keys.check(
            body, id: id, timestamp: time, signatures: signatures, at: now.addingTimeInterval(seconds))
    }

    @Test func `the signature is that of the example of Standard Webhooks`() throws {
        let keys = try WebhookKeys(Self.secret)
        #expect(
            keys.signatures(of: Self.body, id: Self.id, timestamp: Self.time)
                == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        #expect(keys.publicKeys == [])
    }

    @Test func `an Ed25519 key has the public key and the signature of RFC 8032`() throws {
        // RFC 8032 §7.1, test 1. The public key belongs to this private key.
        let seed: [UInt8] = [
            0x9D, 0x61, 0xB1, 0x9D, 0xEF, 0xFD, 0x5A, 0x60, 0xBA, 0x84, 0x4A, 0xF4, 0x92, 0xEC, 0x2C, 0xC4, 0x44, 0x49,
            0xC5, 0x69, 0x7B, 0x32, 0x69, 0x19, 0x70, 0x3B, 0xAC, 0x03, 0x1C, 0xAE, 0x7F, 0x60,
        ]
        let keys = try WebhookKeys("whsk_" + Data(seed).base64EncodedString())
        #expect(keys.publicKeys == ["whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="])
        let signatures = keys.signatures(of: Self.body, id: Self.id, timestamp: Self.time)
        #expect(signatures.hasPrefix("v1a,"))
        try Self.check(keys, signatures: signatures)
    }

    @Test func `during a rotation each key signs, and a receiver with one of them accepts the message`() throws {
        let other = "whsec_" + Data(repeating: 7, count: 24).base64EncodedString()
        let signing = "whsk_" + Self.seed.base64EncodedString()
        let signatures = try WebhookKeys([Self.secret, other, signing].joined(separator: "\n"))
            .signatures(of: Self.body, id: Self.id, timestamp: Self.time)
        #expect(signatures.split(separator: " ").count == 3)
        for key in [Self.secret, other, signing] { try Self.check(try WebhookKeys(key), signatures: signatures) }
        let foreign = try WebhookKeys("whsec_" + Data(repeating: 8, count: 24).base64EncodedString())
        #expect(throws: WebhookKeys.Refusal.forged) { try Self.check(foreign, signatures: signatures) }
    }

    @Test(arguments: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsk_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="])
    func `a changed byte, another id and another time are refused`(key: String) throws {
        let keys = try WebhookKeys(key)
        let signatures = keys.signatures(of: Self.body, id: Self.id, timestamp: Self.time)
        for index in Self.body.indices {
            var changed = Self.body
            changed[index] ^= 1
            #expect(throws: WebhookKeys.Refusal.forged) { try Self.check(keys, changed, signatures: signatures) }
        }
        #expect(throws: WebhookKeys.Refusal.forged) { try Self.check(keys, id: "msg_other", signatures: signatures) }
        #expect(throws: WebhookKeys.Refusal.forged) {
            try Self.check(keys, time: "\(Self.time + 1)", signatures: signatures)
        }
        // The id and the time are separated, so no digit can move from one to the other.
        #expect(throws: WebhookKeys.Refusal.forged) {
            try Self.check(keys, id: Self.id + ".1", signatures: signatures)
        }
    }

    @Test func `an old message and one from the future are refused after five minutes`() throws {
        let keys = try WebhookKeys(Self.secret)
        let signatures = keys.signatures(of: Self.body, id: Self.id, timestamp: Self.time)
        for seconds in [-300.0, 300] { try Self.check(keys, signatures: signatures, after: seconds) }
        #expect(throws: WebhookKeys.Refusal.old) { try Self.check(keys, signatures: signatures, after: 301) }
        #expect(throws: WebhookKeys.Refusal.fromFuture) { try Self.check(keys, signatures: signatures, after: -301) }
    }

    @Test func `a message without its fields, or with a signature of another kind, is refused`() throws {
        let keys = try WebhookKeys(Self.secret)
        let signatures = keys.signatures(of: Self.body, id: Self.id, timestamp: Self.time)
        for (id, time, given) in [
            (nil, "\(Self.time)", signatures), ("", "\(Self.time)", signatures), (Self.id, nil, signatures),
            (Self.id, "noon", signatures), (Self.id, "-1", signatures), (Self.id, "\(Self.time)", nil),
        ] as [(String?, String?, String?)] {
            #expect(throws: WebhookKeys.Refusal.missingField) {
                try Self.check(keys, id: id, time: time, signatures: given)
            }
        }
        for given in [
            "", "v1,", "v1", signatures.replacing("v1,", with: "v1a,"), signatures.dropLast(2) + "=", "v2,aaaa",
        ] {
            #expect(throws: WebhookKeys.Refusal.forged) { try Self.check(keys, signatures: String(given)) }
        }
    }

    @Test(arguments: [
        "", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_", "whsec_AAAA", "whsec_!", "whsk_AAAA",
        "whsk_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8AAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHw==",
        "whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
    ])
    func `a text without usable keys is refused, and the reason does not repeat it`(text: String) {
        let error = #expect(throws: UnusableKeys.self) { try WebhookKeys(text) }
        #expect(error?.reason.contains("AAAA") == false)
    }
}
