import Authentication
import Base
import FoundationEssentials
import NotificationModel

/// The API space at Comapi to which statuses of messages are passed on.
package struct ComapiAccount: Sendable, Equatable {
    /// The source of the JSON Web Tokens with which the sessions of profiles begin.
    package enum Tokens: Sendable, Equatable {
        /// Tokens are signed here, with HMAC-SHA256.
        ///
        /// - Parameter idClaim: The claim that has the profile.
        case signed(secret: String, issuer: String, audience: String, idClaim: String)
        /// A server returns a token for a nonce and a profile.
        case asked(url: String)
    }

    /// The beginning of the URLs, without a slash at its end.
    package var baseURL: String
    package var apiSpace: String
    package var tokens: Tokens

    fileprivate var spaceURL: String { "\(baseURL)/apispaces/\(PercentEncoding.text(of: apiSpace))" }
}

/// Statuses for Comapi: `delivered` and `read` of a message, each in a session of the recipient's profile. A click is
/// reported by a request to the tracking URL of the message's link, as the vendor's SDK does.
///
/// A session begins with a challenge, whose nonce is a claim of a JSON Web Token. The token of the session is kept until
/// it or the JSON Web Token expires. Statuses of one profile at the same time share the beginning of its session.
final class ComapiSender: CallbackSending {
    private struct Session {
        let token: String
        let end: Date
    }

    private struct Unusable: Error {
        let answer: OutgoingAnswer
    }

    /// The sessions by their profiles.
    private struct Sessions {
        var kept: [String: Session] = [:]
        var beginning: [String: Task<Result<Session, Unusable>, Never>] = [:]
    }

    /// The maximum number of sessions that are kept.
    private static let maxSessions = 1_000
    /// The life of a signed token, in seconds.
    private static let life: TimeInterval = 3_600
    /// The time before its end at which a session is renewed, in seconds.
    private static let margin: TimeInterval = 30

    private let account: ComapiAccount
    private let timeout: Duration
    private let caller: any OutgoingCalling
    private let sessions = Guarded(Sessions())

    init(account: ComapiAccount, timeout: Duration, caller: any OutgoingCalling) {
        self.account = account
        self.timeout = timeout
        self.caller = caller
    }

    func send(_ callback: Callback, at date: Date) async -> OutgoingAnswer {
        if let url = callback.url {
            var call = OutgoingCall(url: url, method: "GET", fields: [], body: [], timeout: timeout)
            call.isOfPayload = true
            return await caller.send(call)
        }
        guard let receipt = (try? JSONParser.value(of: callback.body))?.object, let status = receipt["status"],
            let conversation = receipt["conversation"]?.string, let profile = receipt["profile"]?.string
        else { return .failed("the stored receipt cannot be read") }
        do throws(Unusable) {
            let (session, isKept) = try await session(of: profile, at: date)
            let answer = await update(status, conversation, callback.id, session)
            // The server may have ended a session before its time.
            guard case .answered(401, _, _) = answer else { return answer }
            sessions.withLock { sessions in
                if sessions.kept[profile]?.token == session.token { sessions.kept[profile] = nil }
            }
            guard isKept else { return answer }
            return await update(status, conversation, callback.id, try await self.session(of: profile, at: date).0)
        } catch {
            return error.answer
        }
    }

    private func update(
        _ status: JSONValue, _ conversation: String, _ id: String, _ session: Session
    ) async -> OutgoingAnswer {
        await caller.send(
            OutgoingCall(
                url:
                    "\(account.spaceURL)/conversations/\(PercentEncoding.text(of: conversation))/messages/statusupdates",
                fields: [
                    ("Content-Type", "application/json"), ("Authorization", "Bearer \(session.token)"),
                    ("Idempotency-Key", id),
                ], body: JSONWriter.bytes(of: .array([status])), timeout: timeout))
    }

    /// Returns a session of a profile, and whether it was kept from an earlier message.
    private func session(of profile: String, at date: Date) async throws(Unusable) -> (Session, isKept: Bool) {
        let (kept, beginning) = sessions.withLock { sessions in
            if let kept = sessions.kept[profile], kept.end > date.addingTimeInterval(Self.margin) {
                return (Session?.some(kept), Task<Result<Session, Unusable>, Never>?.none)
            }
            let task = sessions.beginning[profile] ?? Task { await self.begin(profile, at: date) }
            sessions.beginning[profile] = task
            return (nil, task)
        }
        if let kept { return (kept, true) }
        guard let beginning else { throw Unusable(answer: .failed("there is no session of the profile")) }
        let result = await withTaskCancellationHandler {
            await beginning.value
        } onCancel: {
            beginning.cancel()
        }
        return (try result.get(), false)
    }

    /// Begins a session of a profile, and keeps it.
    private func begin(_ profile: String, at date: Date) async -> Result<Session, Unusable> {
        let result: Result<Session, Unusable>
        do throws(Unusable) { result = .success(try await newSession(of: profile, at: date)) } catch {
            result = .failure(error)
        }
        sessions.withLock { sessions in
            sessions.beginning[profile] = nil
            guard case .success(let session) = result else { return }
            if sessions.kept.count >= Self.maxSessions {
                sessions.kept = sessions.kept.filter { $0.value.end > date }
                if sessions.kept.count >= Self.maxSessions { sessions.kept = [:] }
            }
            sessions.kept[profile] = session
        }
        return result
    }

    private func newSession(of profile: String, at date: Date) async throws(Unusable) -> Session {
        let challenge = try await object(
            OutgoingCall(
                url: "\(account.spaceURL)/sessions/start", method: "GET", fields: [], body: [], timeout: timeout,
                readsBody: true))
        guard let id = challenge["authenticationId"]?.string, let nonce = challenge["nonce"]?.string else {
            throw Unusable(answer: .failed("the challenge of the session has no nonce"))
        }
        let (token, end) = try await webToken(of: profile, nonce, at: date)
        let body: JSONObject = [
            "authenticationId": .string(id), "authenticationToken": .string(token), "deviceId": "appgroupd",
            "platform": "server", "platformVersion": "1", "sdkType": "native", "sdkVersion": "1",
        ]
        let answer = try await object(
            OutgoingCall(
                url: "\(account.spaceURL)/sessions", fields: [("Content-Type", "application/json")],
                body: JSONWriter.bytes(of: .object(body)), timeout: timeout, readsBody: true))
        guard let sessionToken = answer["token"]?.string else {
            throw Unusable(answer: .failed("the answer to the session has no token"))
        }
        let limit = answer["session"]?["expiresOn"]?.string.flatMap { Timestamp.parse($0) } ?? end
        return Session(token: sessionToken, end: min(limit, end))
    }

    /// Returns a JSON Web Token with the nonce, and its end.
    private func webToken(
        of profile: String, _ nonce: String, at date: Date
    ) async throws(Unusable) -> (token: String, end: Date) {
        switch account.tokens {
        case .signed(let secret, let issuer, let audience, let idClaim):
            let now = Int(date.timeIntervalSince1970)
            let claims: JSONObject = [
                "iss": .string(issuer), "aud": .string(audience), idClaim: .string(profile), "nonce": .string(nonce),
                "iat": .number(now), "exp": .number(now + Int(Self.life)),
            ]
            return (SignedWebToken.text(of: claims, by: secret), date.addingTimeInterval(Self.life))
        case .asked(let url):
            let query = "nonce=\(PercentEncoding.text(of: nonce))&profile=\(PercentEncoding.text(of: profile))"
            let bytes = try await body(
                OutgoingCall(
                    url: "\(url)?\(query)", method: "GET", fields: [("Accept", "application/json")], body: [],
                    timeout: timeout, readsBody: true))
            let text = (try? JSONParser.value(of: bytes))?["token"]?.string ?? String(decoding: bytes, as: UTF8.self)
            guard let end = SignedWebToken.expiry(of: text) else {
                throw Unusable(answer: .failed("comapi.tokenURL has returned no JSON Web Token with exp"))
            }
            return (text, end)
        }
    }

    private func object(_ call: OutgoingCall) async throws(Unusable) -> JSONValue {
        let bytes = try await body(call)
        guard let value = try? JSONParser.value(of: bytes), value.object != nil else {
            throw Unusable(answer: .failed("an answer of the server is not a JSON object"))
        }
        return value
    }

    /// Returns the body of a successful answer. Another answer counts like that of the message itself.
    private func body(_ call: OutgoingCall) async throws(Unusable) -> [UInt8] {
        let answer = await caller.send(call)
        guard case .answered(200...299, _, let body) = answer else {
            // A missing session must not disable the target.
            if case .answered(410, _, _) = answer {
                throw Unusable(answer: .failed("the server has no sessions (410)"))
            }
            throw Unusable(answer: answer)
        }
        return body
    }
}
