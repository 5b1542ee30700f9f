import Base
import FoundationEssentials
import HTTPTypes
import NotificationModel
import TestSupport

@testable import HTTPCaching

/// A fixture with an exchange, a store in memory, an origin with prepared responses, and a manual clock.
final class CacheBench: Sendable {
    typealias Answer = Result<OriginResponse, MediaFailure>

    static let url = "http://origin.test/a/picture.jpg"
    /// The failure of a response with an incomplete body.
    static let cutOff = MediaFailure(.truncated, "the test ends the body early")
    static let start = Date(timeIntervalSince1970: 1_700_000_000)

    private struct State {
        var now = CacheBench.start
        var answers: [@Sendable (Date) throws -> Answer] = []
        var asked: [OriginRequest] = []
        var ids = 0
    }

    let store: MemoryResponseStore
    private let state: SharedState
    let exchange: CachingExchange

    /// The state in a class, because the closures of the exchange cannot capture a `Guarded`.
    private final class SharedState: Sendable {
        let value = Guarded(State())
    }

    init(policy: CachingPolicy = CachingPolicy(), joins: Bool = true) {
        let state = SharedState()
        self.state = state
        store = MemoryResponseStore(joins: joins)
        exchange = CachingExchange(
            store: store, policy: policy, now: { state.value.withLock { $0.now } },
            makeID: {
                state.value.withLock {
                    $0.ids += 1
                    return "id-\($0.ids)"
                }
            })
    }

    var now: Date { state.value.withLock { $0.now } }
    /// The requests that the origin has received, in their order.
    var asked: [OriginRequest] { state.value.withLock { $0.asked } }

    func pass(_ seconds: Double) { state.value.withLock { $0.now += seconds } }

    /// Prepares the next response of the origin. Its `Date` is the time of the response, unless `fields` has one.
    func answers(
        _ status: Int = 200, _ fields: [(String, String)] = [], _ body: String = "", isComplete: Bool = true
    ) {
        let fields = Self.fields(fields)
        state.value.withLock {
            $0.answers.append { now in
                var fields = fields
                if !fields.contains(.date) { fields[.date] = HTTPDate.text(now) }
                return .success(
                    OriginResponse(
                        head: ResponseHead(status: status, fields: fields), body: try Self.body(body),
                        failure: isComplete ? nil : Self.cutOff, requestTime: now, responseTime: now))
            }
        }
    }

    func fails(_ reason: DegradationReason = .connectFailed) {
        state.value.withLock { $0.answers.append { _ in .failure(MediaFailure(reason, "set to fail")) } }
    }

    func get(
        _ fields: [(String, String)] = [], method: HTTPRequest.Method = .get, url: String = CacheBench.url
    ) async -> Result<OriginResponse, MediaFailure> {
        await exchange.exchange(OriginRequest(method, url, fields: Self.fields(fields)), key: url) { request, _ in
            await send(request)
        }
    }

    func revalidate(_ fields: [(String, String)] = []) async {
        let request = OriginRequest(.get, Self.url, fields: Self.fields(fields))
        await exchange.revalidate(request, key: Self.url) { request, _ in await send(request) }
    }

    func send(_ request: OriginRequest) async -> Answer {
        let (answer, now) = state.value.withLock { state in
            state.asked.append(request)
            return (state.answers.isEmpty ? nil : state.answers.removeFirst(), state.now)
        }
        guard let answer else { return .failure(MediaFailure(.internal, "the test sets no further response")) }
        do {
            return try answer(now)
        } catch {
            return .failure(MediaFailure(.storageFailed, "\(error)"))
        }
    }

    static func fields(_ list: [(String, String)]) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in list {
            guard let name = HTTPField.Name(name) else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        return fields
    }

    static func date(_ offset: Double) -> String { HTTPDate.text(start + offset) }

    /// Returns a stored response that was received at `start`.
    static func stored(
        _ fields: [(String, String)], status: Int = 200, request: [(String, String)] = [], bytes: Range<Int> = 0..<10,
        of length: Int? = 10, id: String = "stored"
    ) -> StoredResponse {
        StoredResponse(
            id: id, key: url, method: "GET", requestFields: Self.fields(request),
            head: ResponseHead(status: status, fields: Self.fields(fields)), requestTime: start, responseTime: start,
            storedBytes: bytes, completeLength: length)
    }

    private static func body(_ text: String) throws -> ResponseBody {
        guard !text.isEmpty else { return .empty }
        let bytes = Array(text.utf8)
        return ResponseBody(file: try MemoryResponseStore.file(bytes), bytes: 0..<bytes.count)
    }
}

extension OriginResponse {
    var text: String { String(decoding: MemoryResponseStore.bytes(of: body), as: UTF8.self) }

    func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { head.fields[$0] } }
}
