import Base
import FoundationEssentials
import HTTPCaching
import HTTPTypes
import LinuxIO
import NotificationModel

/// An origin that returns its responses in order, and repeats them after the last one. Each response has a body of the
/// same size.
final class FuzzOrigin: Sendable {
    static let bodyBytes = 10

    private let heads: [ResponseHead]
    private let count = Guarded(0)

    init(_ heads: [ResponseHead]) { self.heads = heads }

    func makeID() -> String { "\(next())" }

    func response(at date: Date) -> Result<OriginResponse, MediaFailure> {
        guard !heads.isEmpty else { return .failure(MediaFailure(.connectFailed, "the origin has no response")) }
        let head = heads[next() % heads.count]
        let body = ResponseBody(file: FuzzResponseStore.file, bytes: 0..<Self.bodyBytes)
        return .success(
            OriginResponse(
                head: head, body: body, failure: head.status == 206 ? MediaFailure(.truncated, "a part") : nil,
                requestTime: date, responseTime: date))
    }

    private func next() -> Int {
        count.withLock { count in
            count += 1
            return count - 1
        }
    }
}

/// A store that keeps responses in memory, without their bytes.
final class FuzzResponseStore: ResponseStoring {
    /// A file that is never read.
    static let file = MediaFile(descriptor: -1, isLinkable: false) { _ in }

    private let stored = Guarded<[StoredResponse]>([])

    func responses(for key: String) async -> [StoredResponse] { stored.withLock { $0.filter { $0.key == key } } }

    func body(of response: StoredResponse) async -> MediaFile? { Self.file }

    func insert(
        _ response: StoredResponse, body: MediaFile?, checksum: UInt64?, since mark: RecentPurges.Mark
    ) async {
        stored.withLock { stored in
            stored.removeAll { $0.id == response.id }
            stored.insert(response, at: 0)
        }
    }

    func update(_ response: StoredResponse) async {
        stored.withLock { stored in
            guard let index = stored.firstIndex(where: { $0.id == response.id }) else { return }
            stored[index] = response
        }
    }

    func remove(_ ids: [String]) async { stored.withLock { $0.removeAll { ids.contains($0.id) } } }

    func removeAll(for key: String) async { stored.withLock { $0.removeAll { $0.key == key } } }

    func joined(_ parts: [ResponseBody]) async -> MediaFile? { Self.file }
}
