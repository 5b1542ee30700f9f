import Base
import FeatureKit
import FoundationEssentials
import HTTPCaching
import HTTPTypes
import LinuxIO
import MediaFetcher
import NotificationModel
import ServiceConfiguration

/// The calls to configured servers over the threads of the media fetcher, with its checks of names and addresses.
///
/// The operator names these servers, so the lists of hosts for media do not apply to them. They apply to the URLs of
/// payloads. The headers of `fetch.headers` are for origins of media, and are not sent.
final class FetcherCaller: OutgoingCalling {
    /// The maximum size of an answer whose body is needed, in bytes.
    private static let maxBytes = 1 << 20
    /// The maximum number of bytes that are read of other answers.
    private static let maxUnused = 64 << 10
    /// The longest silence in the body of an answer that is not needed.
    private static let idle: Duration = .seconds(1)
    /// The longest wait for the permit of a transfer, while media use all connections to the host.
    private static let maxWait: Duration = .seconds(600)

    private let fetcher: HTTPMediaFetcher
    private let policies: Guarded<Policies>
    private let permits: AsyncSemaphore

    /// - Parameter most: The maximum number of calls at a time.
    init(_ fetcher: HTTPMediaFetcher, _ configuration: Configuration, most: Int) {
        self.fetcher = fetcher
        permits = AsyncSemaphore(permits: most)
        policies = Guarded(Policies(configuration))
    }

    /// The number of calls that are running.
    var count: Int { permits.used }

    func change(_ configuration: Configuration) {
        let changed = Policies(configuration)
        policies.withLock { $0 = changed }
    }

    private struct Policies {
        let ofServers: FetchPolicy
        let ofPayloads: FetchPolicy

        init(_ configuration: Configuration) {
            var policy = FetchPolicy(configuration)
            policy.headers = OriginHeaders()
            ofPayloads = policy
            policy.hosts = HostAllowlist()
            policy.schemes = ["https", "http"]
            ofServers = policy
        }
    }

    func send(_ call: OutgoingCall) async -> OutgoingAnswer {
        guard let method = HTTPRequest.Method(call.method) else { return .failed("the method is not one of HTTP") }
        var fields = HTTPFields()
        for field in call.fields {
            if let name = HTTPField.Name(field.name) { fields.append(HTTPField(name: name, value: field.value)) }
        }
        var request = OriginRequest(method, call.url, fields: fields, body: call.body)
        guard await permits.acquire() else { return .failed("the call is cancelled") }
        defer { permits.release() }
        // Each message has an id by which the server recognises a repetition.
        request.mayBeRepeated = true
        var policy = policies.withLock { call.isOfPayload ? $0.ofPayloads : $0.ofServers }
        // The limit of media for the first byte is shorter than the timeout of a target may be.
        (policy.limits.firstByte, policy.limits.idle) = (call.timeout, call.readsBody ? call.timeout : Self.idle)
        let result = await fetcher.forward(
            request, until: .now.advanced(by: Self.maxWait + call.timeout), within: call.timeout,
            largest: call.readsBody ? Self.maxBytes : Self.maxUnused, isMessage: !call.readsBody, under: policy,
            makeFile: { () throws(MediaFailure) in try Self.file() })
        switch result {
        case .failure(let failure): return .failed(failure.detail)
        case .success(let response):
            var body: [UInt8] = []
            if let file = response.body.file, !response.body.bytes.isEmpty {
                let bytes = response.body.bytes
                body = (try? FileSystem.bytes(of: file, at: bytes.lowerBound, count: bytes.count)) ?? []
            }
            return .answered(
                status: response.head.status, retryAfter: response.head.retryAfter(at: Date()), body: body)
        }
    }

    private static func file() throws(MediaFailure) -> MediaFile {
        do throws(SystemError) { return try AnonymousFile.createInMemory() } catch {
            throw MediaFailure(.storageFailed, "no file for an answer can be created: \(error)")
        }
    }
}
