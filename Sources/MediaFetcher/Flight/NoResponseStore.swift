import HTTPCaching
import NotificationModel

/// The store of a fetcher that has none.
struct NoResponseStore: ResponseStoring {
    func responses(for key: String) async -> [StoredResponse] { [] }
    func body(of response: StoredResponse) async -> MediaFile? { nil }
    func insert(_ response: StoredResponse, body: MediaFile?) async {}
    func update(_ response: StoredResponse) async {}
    func remove(_ ids: [String]) async {}
    func removeAll(for key: String) async {}
}
