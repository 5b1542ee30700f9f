import Authentication
import Base
import FoundationEssentials
import NotificationModel
import TestSupport
import Testing

@testable import Features

/// Tests of the receipts that are passed on to the servers of Sendios and Comapi.
@Suite struct ProviderSenderTests {
    private static let date = Date(timeIntervalSince1970: 1_800_000_000)
    private static let secret = String(repeating: "s", count: 32)

    private static func names(_ provider: String) -> ListedNames {
        var names = ListedNames()
        (names.provider, names.providerID, names.recipient, names.thread) = (provider, "m-1", "anna", "c/1")
        return names
    }

    private static func callback(_ form: CallbackRouting.Target.Form, _ event: Receipt.Event) throws -> Callback {
        let details: JSONObject = ["senderId": .null, "logicId": "l-5", "templateId": "t", "splitGroup": .null]
        let name = form == .comapi ? "comapi" : "sendios"
        return Callback(
            number: 1, id: "msg_1", target: "a",
            key: RequestKey(group: .default, id: try #require(RequestID("r"))), type: "receipt.\(event.rawValue)",
            body: try #require(CallbackBody.receipt(event, at: date, names(name), details: details, for: form)),
            createdAt: date)
    }

    private static func json(_ value: JSONValue) -> [UInt8] { JSONWriter.bytes(of: value) }

    @Test(arguments: [(Receipt.Event.delivered, "delivered"), (.clicked, "click"), (.unseen, "unseen")])
    func `a receipt for Sendios has the path of its event, the ids of the push and the credentials`(
        event: Receipt.Event, path: String
    ) async throws {
        let network = FakeNetwork { _ in .answered(status: 200, retryAfter: nil, body: []) }
        let account = SendiosAccount(
            baseURL: "https://push.example", clientID: "7345", clientToken: "token", appID: "837465")
        let sender = SendiosSender(account: account, timeout: .seconds(5), caller: network)
        let answer = await sender.send(try Self.callback(.sendios(senderID: 2), event), at: Self.date)
        #expect(answer == .answered(status: 200, retryAfter: nil, body: []))
        let call = try #require(network.calls.elements.first)
        #expect(call.method == "POST" && call.url == "https://push.example/api/v1/app/push/\(path)")
        #expect(call.fields.contains { $0 == ("Idempotency-Key", "msg_1") })
        #expect(
            try JSONParser.value(of: call.body) == [
                "clientId": "7345", "clientToken": "token", "appId": "837465", "push_id": "m-1",
                "timestamp": "2027-01-15T08:00:00.000Z", "sender_id": "2", "logic_id": "l-5", "template_id": "t",
                "mf_split_group": .null, "device_id": "anna",
            ])
    }

    @Test(arguments: [false, true])
    func `an opt-out for Sendios is a PUT with the device and the credentials`(isSubscribed: Bool) async throws {
        let network = FakeNetwork { _ in .answered(status: 200, retryAfter: nil, body: []) }
        let account = SendiosAccount(
            baseURL: "https://push.example", clientID: "7345", clientToken: "token", appID: "837465")
        var document = RecipientDocument()
        document.settings[.service] = isSubscribed
        let recipient = Recipient(
            id: RecipientName(group: .default, name: "device-1"), document: document, version: 1, updatedAt: Self.date,
            hash: "h")
        let message = CallbackBody.optOut(of: recipient, at: Self.date)
        #expect(message.type == (isSubscribed ? "recipient.subscribed" : "recipient.unsubscribed"))
        let callback = Callback(
            number: 1, id: "msg_1", target: "a",
            key: RequestKey(group: .default, id: try #require(RequestID("recipient-h"))), type: message.type,
            body: message.body, createdAt: Self.date)
        let sender = SendiosSender(account: account, timeout: .seconds(5), caller: network)
        #expect(await sender.send(callback, at: Self.date) == .answered(status: 200, retryAfter: nil, body: []))
        let call = try #require(network.calls.elements.first)
        #expect(call.method == "PUT" && call.url == "https://push.example/api/v1/app/devices/subscribes")
        #expect(call.fields.contains { $0 == ("Idempotency-Key", "msg_1") })
        #expect(
            try JSONParser.value(of: call.body) == [
                "clientId": "7345", "clientToken": "token", "appId": "837465", "device_id": "device-1",
                "subscribed": .bool(isSubscribed), "timestamp": "2027-01-15T08:00:00.000Z",
            ])
    }

    /// Returns the answers of a server of Comapi that accepts one token of a session.
    private static func comapi(_ token: String, _ call: OutgoingCall) -> OutgoingAnswer {
        func answer(_ value: JSONValue) -> OutgoingAnswer { .answered(status: 200, retryAfter: nil, body: json(value)) }
        switch call.url.replacing("https://api.example/apispaces/space", with: "") {
        case "/sessions/start": return answer(["authenticationId": "a-1", "nonce": "n-1"])
        case "/sessions":
            return answer(["token": .string(token), "session": ["expiresOn": "2027-01-15T10:00:00Z"]])
        case "/conversations/c%2F1/messages/statusupdates":
            let isKnown = call.fields.contains { $0 == ("Authorization", "Bearer \(token)") }
            return .answered(status: isKnown ? 204 : 401, retryAfter: nil, body: [])
        default: return .answered(status: 404, retryAfter: nil, body: [])
        }
    }

    private static func account(_ tokens: ComapiAccount.Tokens) -> ComapiAccount {
        ComapiAccount(baseURL: "https://api.example", apiSpace: "space", tokens: tokens)
    }

    @Test func `a status for Comapi comes in a session of the profile, which is kept until its token expires`()
        async throws
    {
        let network = FakeNetwork { Self.comapi("s-1", $0) }
        let sender = ComapiSender(
            account: Self.account(
                .signed(secret: Self.secret, issuer: "https://i.example", audience: "aud", idClaim: "sub")),
            timeout: .seconds(5), caller: network)
        let callback = try Self.callback(.comapi, .read)
        for seconds in [0.0, 60, 3_500] {
            let answer = await sender.send(callback, at: Self.date.addingTimeInterval(seconds))
            #expect(answer == .answered(status: 204, retryAfter: nil, body: []))
        }
        #expect(network.calls.elements.count == 5)
        let update = try #require(network.calls.elements.last)
        #expect(
            try JSONParser.value(of: update.body) == [
                ["messageIds": ["m-1"], "status": "read", "timestamp": "2027-01-15T08:00:00.000Z"]
            ])
        // The signed token lives for an hour, and the session is renewed half a minute earlier.
        _ = await sender.send(callback, at: Self.date.addingTimeInterval(3_571))
        #expect(network.calls.elements.count == 8)
        let session = try JSONParser.value(of: network.calls.elements[1].body)
        #expect(session["authenticationId"] == "a-1")
        let parts = try #require(session["authenticationToken"]?.string).split(separator: ".").map(String.init)
        let claims = try JSONParser.value(of: try #require(Self.decoded(parts[1])))
        #expect(
            claims == [
                "iss": "https://i.example", "aud": "aud", "sub": "anna", "nonce": "n-1", "iat": 1_800_000_000,
                "exp": 1_800_003_600,
            ])
    }

    private static func decoded(_ part: String) -> [UInt8]? {
        let base64 = part.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - base64.count % 4) % 4)
        return Data(base64Encoded: base64 + padding).map(Array.init)
    }

    @Test func `a server is asked for a token with the nonce, and another text than a token is a failure`() async throws
    {
        let token = SignedWebToken.text(of: ["exp": 1_800_003_600], by: "k")
        for (body, isGood) in [
            (Array(token.utf8), true), (Self.json(["token": .string(token)]), true), (Array("no token".utf8), false),
            (Array(SignedWebToken.text(of: ["sub": "anna"], by: "k").utf8), false),
            (Array(SignedWebToken.text(of: ["exp": .number(JSONNumber(1_800_003_600.25))], by: "k").utf8), true),
            // A signature whose spare bits are not zero is for the server to judge.
            (
                Array(
                    (token[...(token.lastIndex(of: ".") ?? token.startIndex)] + String(repeating: "x", count: 43)).utf8),
                true
            ),
        ] {
            let network = FakeNetwork { call in
                call.url.hasPrefix("https://tokens.example/jwt?nonce=n-1&profile=anna")
                    ? .answered(status: 200, retryAfter: nil, body: body) : Self.comapi("s-1", call)
            }
            let sender = ComapiSender(
                account: Self.account(.asked(url: "https://tokens.example/jwt")), timeout: .seconds(5),
                caller: network)
            let answer = await sender.send(try Self.callback(.comapi, .delivered), at: Self.date)
            if isGood {
                #expect(answer == .answered(status: 204, retryAfter: nil, body: []))
            } else {
                #expect(answer == .failed("comapi.tokenURL has returned no JSON Web Token with exp"))
            }
        }
    }

    @Test func `statuses at the same time share the beginning of a session`() async throws {
        let network = FakeNetwork { call in call.url.hasSuffix("/sessions/start") ? nil : Self.comapi("s-1", call) }
        let sender = ComapiSender(
            account: Self.account(.signed(secret: Self.secret, issuer: "i", audience: "a", idClaim: "id")),
            timeout: .seconds(5), caller: network)
        let callback = try Self.callback(.comapi, .read)
        async let first = sender.send(callback, at: Self.date)
        async let second = sender.send(callback, at: Self.date)
        while network.hanging == 0 { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        network.finish(
            with: .answered(
                status: 200, retryAfter: nil, body: Self.json(["authenticationId": "a-1", "nonce": "n-1"])))
        let answers = await [first, second]
        #expect(answers == [OutgoingAnswer](repeating: .answered(status: 204, retryAfter: nil, body: []), count: 2))
        let urls = network.calls.elements.map { $0.url.split(separator: "/").last ?? "" }
        #expect(urls.count { $0 == "start" } == 1 && urls.count { $0 == "sessions" } == 1, "\(urls)")
        let session = try #require(network.calls.elements.first { $0.url.hasSuffix("/sessions") })
        let token = try #require(try JSONParser.value(of: session.body)["authenticationToken"]?.string)
        let claims = try JSONParser.value(of: try #require(Self.decoded(String(token.split(separator: ".")[1]))))
        #expect(claims["id"] == "anna" && claims["sub"] == nil)
    }

    @Test func `a click is reported to the tracking URL of the message, and to no other server`() async throws {
        var names = Self.names("comapi")
        names.providerID = nil
        let details: JSONObject = ["trackingUrl": "https://t.example/x"]
        var callback = try Self.callback(.comapi, .read)
        callback.url = CallbackBody.trackingURL(of: .clicked, details, for: .comapi)
        callback.body = try #require(
            CallbackBody.receipt(.clicked, at: Self.date, names, details: details, for: .comapi))
        let network = FakeNetwork { _ in .answered(status: 200, retryAfter: nil, body: []) }
        let sender = ComapiSender(
            account: Self.account(.asked(url: "https://tokens.example/jwt")), timeout: .seconds(5), caller: network)
        _ = await sender.send(callback, at: Self.date)
        #expect(network.calls.elements.map { "\($0.method) \($0.url)" } == ["GET https://t.example/x"])
        #expect(network.calls.elements.first?.isOfPayload == true)
        #expect(CallbackBody.receipt(.clicked, at: Self.date, names, details: [:], for: .comapi) == nil)
        #expect(CallbackBody.trackingURL(of: .read, details, for: .comapi) == nil)
    }

    @Test func `a session that the server has ended is renewed once`() async throws {
        let token = Guarded("s-1")
        let network = FakeNetwork { call in Self.comapi(token.withLock { $0 }, call) }
        let sender = ComapiSender(
            account: Self.account(.signed(secret: Self.secret, issuer: "i", audience: "a", idClaim: "sub")),
            timeout: .seconds(5),
            caller: network)
        let callback = try Self.callback(.comapi, .read)
        _ = await sender.send(callback, at: Self.date)
        token.withLock { $0 = "s-2" }
        #expect(await sender.send(callback, at: Self.date) == .answered(status: 204, retryAfter: nil, body: []))
        #expect(network.calls.elements.count == 7)
    }

    @Test func `a server without sessions fails, and does not disable the target`() async throws {
        let network = FakeNetwork { _ in .answered(status: 410, retryAfter: nil, body: []) }
        let sender = ComapiSender(
            account: Self.account(.signed(secret: Self.secret, issuer: "i", audience: "a", idClaim: "sub")),
            timeout: .seconds(5),
            caller: network)
        #expect(
            await sender.send(try Self.callback(.comapi, .read), at: Self.date)
                == .failed("the server has no sessions (410)"))
    }

    @Test func `only receipts of a provider's own messages are passed on`() throws {
        var sendios = CallbackRouting.Target(name: "sendios")
        sendios.form = .sendios(senderID: 2)
        let other = try #require(AppGroupName("group.other"))
        sendios.otherGroups = [other]
        var comapi = CallbackRouting.Target(name: "comapi")
        comapi.form = .comapi
        let names = Self.names("sendios")
        #expect(sendios.passesOn(.clicked, of: names, in: .default))
        #expect(!sendios.passesOn(.clicked, of: names, in: other))
        #expect(!sendios.passesOn(.read, of: names, in: .default))
        #expect(!sendios.passesOn(.clicked, of: Self.names("comapi"), in: .default))
        #expect(!comapi.passesOn(.read, of: names, in: .default))
        #expect(comapi.passesOn(.read, of: Self.names("comapi"), in: .default))
        #expect(comapi.passesOn(.clicked, of: Self.names("comapi"), in: .default))
        #expect(!comapi.passesOn(.clicked, of: names, in: .default))
        #expect(!comapi.passesOn(.dismissed, of: Self.names("comapi"), in: .default))
        var nameless = Self.names("comapi")
        nameless.recipient = nil
        #expect(!comapi.passesOn(.read, of: nameless, in: .default))
        #expect(!sendios.takes("receipt.read", in: .default))
    }
}
