// A client of appgroupd with URLSession, for Swift 6: a submit, a submit with events, a batch, a cancel and a download.
//
// usage: swiftc -swift-version 6 -parse-as-library appgroupd.swift && ./appgroupd PICTURE_URL SLOW_URL
//   PICTURE_URL is a picture that the daemon may fetch, and SLOW_URL a picture whose origin takes long.
//   APPGROUPD_URL is the address of the daemon (http://127.0.0.1:8480), and APPGROUPD_TOKEN the token, if it needs one.

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The members of a result that this program uses. `docs/use/result.md` has all members.
struct NotificationResult: Decodable, Sendable {
    struct Content: Decodable, Sendable { var attachments: [Attachment] }
    struct Attachment: Decodable, Sendable {
        var mimeType: String
        var bytes: Int
        var publicURL: URL?
    }

    /// The outcome; `nil` if the request is unfinished.
    var outcome: String?
    var content: Content?
}

/// An error response (RFC 9457).
struct Problem: Error, Decodable {
    var type: String
    var detail: String
}

struct Client: Sendable {
    var base: URL
    var token: String?
    private static let retries = 5

    init(base: URL, token: String?) { (self.base, self.token) = (base, token) }

    /// Returns the result. The response is never later than the budget, in seconds.
    func submit(_ payload: Data, key: String, budget: Double = 10) async throws -> NotificationResult {
        let fields = ["Idempotency-Key": key, "Request-Timeout": "\(budget)"]
        let body = try await call("POST", "/v1/notifications", fields, payload)
        return try JSONDecoder().decode(NotificationResult.self, from: body)
    }

    /// Returns as soon as the request is durable.
    func submitAsync(_ payload: Data, key: String) async throws {
        _ = try await call(
            "POST", "/v1/notifications", ["Idempotency-Key": key, "Prefer": "respond-async"], payload)
    }

    /// Returns the names of the events of a request up to its emission.
    func events(of key: String) -> AsyncThrowingCompactMapSequence<AsyncThrowingStream<String, any Error>, String> {
        lines(of: request("GET", "/v1/notifications/\(key)/events")).compactMap { line in
            line.hasPrefix("event: ") ? String(line.dropFirst(7)) : nil
        }
    }

    func result(of key: String) async throws -> NotificationResult {
        let body = try await call("GET", "/v1/notifications/\(key)")
        return try JSONDecoder().decode(NotificationResult.self, from: body)
    }

    /// Returns the lines of the response: the results as they are complete, and the summary last.
    func batch(_ lines: [Data]) -> AsyncThrowingStream<String, any Error> {
        let body = lines.reduce(into: Data()) { $0 += $1 + Data("\n".utf8) }
        return self.lines(of: request("POST", "/v1/notifications:batch", body: body))
    }

    func cancel(_ key: String) async throws { _ = try await call("DELETE", "/v1/notifications/\(key)") }

    /// Repeats a call that got 429 or 503, after the time in `Retry-After`. The key makes the repetition harmless.
    private func call(
        _ method: String, _ path: String, _ fields: [String: String] = [:], _ body: Data? = nil
    ) async throws -> Data {
        var attempt = 0
        while true {
            let request = request(method, path, fields, body: body)
            let (data, response) = try await URLSession.shared.data(for: request)
            guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
            if (200..<300).contains(response.statusCode) { return data }
            let problem = try JSONDecoder().decode(Problem.self, from: data)
            guard [429, 503].contains(response.statusCode), attempt < Self.retries else { throw problem }
            attempt += 1
            let seconds = response.value(forHTTPHeaderField: "Retry-After").flatMap { Double($0) } ?? 1
            try await Task.sleep(for: .seconds(seconds))
        }
    }

    private func request(
        _ method: String, _ path: String, _ fields: [String: String] = [:], body: Data? = nil
    ) -> URLRequest {
        // The daemon answers within the budget, so the time-out is longer than each budget.
        var request = URLRequest(url: URL(string: base.absoluteString + path)!, timeoutInterval: 40)
        request.httpMethod = method
        request.httpBody = body
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    private func lines(of request: URLRequest) -> AsyncThrowingStream<String, any Error> {
        AsyncThrowingStream { continuation in
            let session = URLSession(
                configuration: .ephemeral, delegate: LineReader(continuation), delegateQueue: nil)
            let task = session.dataTask(with: request)
            continuation.onTermination = { _ in task.cancel() }
            task.resume()
            session.finishTasksAndInvalidate()
        }
    }
}

/// A reader that passes on each line of a response as it arrives. The session calls it on one queue.
final class LineReader: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let continuation: AsyncThrowingStream<String, any Error>.Continuation
    private var rest = Data()
    private var status = 200

    init(_ continuation: AsyncThrowingStream<String, any Error>.Continuation) { self.continuation = continuation }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        status = (response as? HTTPURLResponse)?.statusCode ?? 0
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        rest += data
        guard status == 200 else { return }
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
            rest = Data(rest[(end + 1)...])
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let problem = status == 200 ? nil : try? JSONDecoder().decode(Problem.self, from: rest)
        continuation.finish(throwing: error ?? problem ?? (status == 200 ? nil : URLError(.badServerResponse)))
    }
}

@main
struct Example {
    static func payload(_ picture: String) throws -> Data {
        try JSONSerialization.data(withJSONObject: push(picture))
    }

    private static func push(_ picture: String) -> [String: Any] {
        [
            "aps": ["alert": ["title": "Summer", "body": "Three days at sea"], "mutable-content": 1] as [String: Any],
            "image": picture,
        ]
    }

    static func main() async throws {
        guard CommandLine.arguments.count == 3 else {
            FileHandle.standardError.write(Data("usage: appgroupd PICTURE_URL SLOW_URL\n".utf8))
            exit(2)
        }
        let (picture, slow) = (CommandLine.arguments[1], CommandLine.arguments[2])
        let environment = ProcessInfo.processInfo.environment
        guard let base = URL(string: environment["APPGROUPD_URL"] ?? "http://127.0.0.1:8480") else { exit(2) }
        let client = Client(base: base, token: environment["APPGROUPD_TOKEN"])

        let result = try await client.submit(payload(picture), key: UUID().uuidString)
        guard let attachment = result.content?.attachments.first, let url = attachment.publicURL else {
            throw Problem(type: "", detail: "the result has no picture with a public URL")
        }
        print("submit: \(result.outcome ?? ""), \(attachment.mimeType)")

        var key = UUID().uuidString
        try await client.submitAsync(payload(picture), key: key)
        for try await name in client.events(of: key) { print("event: \(name)") }
        print("async: \(try await client.result(of: key).outcome ?? "")")

        var lines = [try JSONSerialization.data(withJSONObject: ["template": ["payload": push(picture)]])]
        for name in ["anna", "ben", "clara"] {
            let greeting = ["aps": ["alert": ["body": "Hello \(name)"]]]
            lines.append(
                try JSONSerialization.data(
                    withJSONObject: ["id": UUID().uuidString, "recipient": name, "payload": greeting]))
        }
        var answers: [String] = []
        for try await line in client.batch(lines) { answers.append(line) }
        guard answers.last?.contains(#""complete":true"#) == true else {
            throw Problem(type: "", detail: "the batch is not complete: send it again")
        }
        print("batch: \(answers.count { $0.hasPrefix(#"{"line":"#) }) results")

        key = UUID().uuidString
        try await client.submitAsync(payload(slow), key: key)
        try await client.cancel(key)
        print("cancel: \(try await client.result(of: key).outcome ?? "")")

        // A phone downloads the rendition without a token.
        let (rendition, response) = try await URLSession.shared.data(from: url)
        guard (response as? HTTPURLResponse)?.statusCode == 200, rendition.count == attachment.bytes else {
            throw Problem(type: "", detail: "the download failed, or has other bytes than the result says")
        }
        print("download: \(rendition.count) bytes")
    }
}
