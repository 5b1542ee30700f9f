import Base
import HTTPAPI
import NotificationModel

/// A tenant of a daemon, with a token for one app group.
struct Tenant: Sendable {
    let client: DaemonClient
    let group: String
    /// A word that only the tenant's payloads have.
    let word: String
}

/// A call of one operation of the API.
struct TenantCall: Sendable {
    let method: String
    let target: String
    var headers: [String: String] = [:]
    var body = ""

    init(_ method: String, _ target: String, _ body: String = "", _ headers: [String: String] = [:]) {
        (self.method, self.target, self.body, self.headers) = (method, target, body, headers)
    }

    /// Returns the calls of an operation about data with the same names in each group; `nil` for an unknown operation.
    ///
    /// - Parameter operation: The `operationId` of the API's description.
    /// - Parameter group: The group that the calls name.
    /// - Parameter word: The word in the texts of new payloads.
    static func of(_ operation: String, in group: String, saying word: String) -> [TenantCall]? {
        let g = "group=\(group)"
        let payload = #"{"aps":{"alert":"\#(word)","thread-id":"orders"}}"#
        let envelope = #"{"recipient":"anna","payload":\#(payload)}"#
        switch operation {
        case "submitNotification":
            return ["order-1", "order-2"].map { id in
                let text = #"{"id":"\#(id)","recipient":"anna","payload":\#(payload)}"#
                return TenantCall("POST", "/v1/notifications?\(g)", text)
            }
        case "listNotifications": return [.init("GET", "/v1/notifications?\(g)&content=true")]
        case "eraseNotifications":
            return ["id=order-2", "recipient=anna", "thread=orders", "everything=true"].map {
                .init("DELETE", "/v1/notifications?\(g)&\($0)")
            }
        case "submitBatch":
            return [
                .init(
                    "POST", "/v1/notifications:batch?\(g)", "\(envelope)\n\(envelope)\n",
                    ["prefer": "respond-async", "idempotency-key": "campaign"]),
                .init("POST", "/v1/notifications:batch?\(g)&dry-run=lint", "\(envelope)\n"),
            ]
        case "getBatch": return [.init("GET", "/v1/batches/campaign")]
        case "cancelBatch": return [.init("DELETE", "/v1/batches/campaign")]
        case "deleteBatch": return [.init("DELETE", "/v1/batches/campaign/results")]
        case "getBatchResults": return [.init("GET", "/v1/batches/campaign/results")]
        case "getNotification": return [.init("GET", "/v1/notifications/order-1?\(g)")]
        case "cancelNotification":
            return [
                .init("DELETE", "/v1/notifications/order-1?\(g)"),
                .init("DELETE", "/v1/notifications/order-1?\(g)&by=provider"),
            ]
        case "streamNotificationEvents": return [.init("GET", "/v1/notifications/order-1/events?\(g)")]
        case "streamEvents": return []
        case "getStatus": return [.init("GET", "/v1/status")]
        case "warmMedia": return [.init("POST", "/v1/warm", #"{"url":"http://127.0.0.1:1/a.jpg","group":"\#(group)"}"#)]
        case "purgeCache": return [.init("POST", "/v1/cache/purge", #"{"url":"http://127.0.0.1:1/a.jpg"}"#)]
        case "downloadMedia": return [.init("GET", "/v1/media/\(group)/none.jpg")]
        case "preflightMedia": return [.init("OPTIONS", "/v1/media/\(group)/none.jpg")]
        case "getProblem": return [.init("GET", "/problems/not-found")]
        case "getHealth": return [.init("GET", "/healthz")]
        case "getReadiness": return [.init("GET", "/readyz")]
        case "getMetrics": return [.init("GET", "/metrics")]
        case "getOpenAPI": return [.init("GET", "/openapi.json")]
        case "getHosts": return [.init("GET", "/v1/hosts")]
        case "getSamples": return [.init("GET", "/v1/samples")]
        case "listThreads": return [.init("GET", "/v1/threads?\(g)")]
        case "summarizeRecipient": return [.init("GET", "/v1/recipients/anna/summary?\(g)&from=2026-01-01T00:00:00Z")]
        case "exportRecipient": return [.init("GET", "/v1/recipients/anna/export?\(g)")]
        case "recordReceipt": return [.init("POST", "/v1/receipts/order-1/clicked?\(g)")]
        case "recordSignedReceipt":
            return [
                .init("POST", "/v1/signed-receipts/\(group)/order-1/clicked?expires=4102444800&signature=AAAA")
            ]
        case "recordReceipts":
            return [
                .init("POST", "/v1/receipts?\(g)", #"{"id":"order-1","event":"delivered","group":"\#(group)"}"# + "\n")
            ]
        case "listCallbacks": return [.init("GET", "/v1/callbacks")]
        case "getCallback": return [.init("GET", "/v1/callbacks/none")]
        case "resendCallback": return [.init("POST", "/v1/callbacks/none/resend")]
        case "listCallbackTargets": return [.init("GET", "/v1/callback-targets")]
        case "recoverCallbackTarget": return [.init("POST", "/v1/callback-targets/none/recover")]
        case "disableCallbackTarget": return [.init("POST", "/v1/callback-targets/none/disable")]
        case "getErasure": return [.init("GET", "/v1/erasures/erasure-0000000000000000")]
        case "getRecipient": return [.init("GET", "/v1/recipients/anna?\(g)")]
        case "putRecipient": return [.init("PUT", "/v1/recipients/anna?\(g)", #"{"labels":["\#(word)"]}"#)]
        case "patchRecipient":
            return [
                .init(
                    "PATCH", "/v1/recipients/anna?\(g)", #"{"labels":["\#(word)","x"]}"#,
                    ["content-type": "application/merge-patch+json"])
            ]
        case "deleteRecipient": return [.init("DELETE", "/v1/recipients/anna?\(g)")]
        case "patchRecipients":
            return [.init("PATCH", "/v1/recipients?\(g)", #"{"id":"anna","labels":["\#(word)"]}"# + "\n")]
        case "getMessage": return [.init("GET", "/v1/messages/welcome?\(g)")]
        case "putMessage": return [.init("PUT", "/v1/messages/welcome?\(g)", envelope)]
        case "deleteMessage": return [.init("DELETE", "/v1/messages/welcome?\(g)")]
        case "notifyMatrixDevices", "notifySDNDevices":
            let path = operation == "notifySDNDevices" ? "/_api/push/v1/notify" : "/_matrix/push/v1/notify"
            let devices = #"[{"app_id":"example","pushkey":"anna"}]"#
            return [.init("POST", path, #"{"notification":{"event_id":"$e","devices":\#(devices)}}"#)]
        case "discoverMatrixGateway": return [.init("GET", "/_matrix/push/v1/notify")]
        case "discoverSDNGateway": return [.init("GET", "/_api/push/v1/notify")]
        default: return nil
        }
    }

    func answer(from client: DaemonClient) async throws -> DaemonClient.Answer {
        try await client.request(method, target, headers: headers, body: Array(body.utf8))
    }
}
