import Authentication
import Base
import Foundation
import NotificationModel
import TestSupport

@testable import Features
@testable import HTTPAPI

/// A server with one rendition in `group.default`.
struct MediaBench: Sendable {
    static let base = "https://media.example.com"
    static let digest = String(repeating: "ab", count: 32)
    static let file = digest + ".jpg"
    static let path = "/v1/media/group.default/\(file)"
    /// The path of the file in the root.
    static let place = "group.default/media/ab/\(file)"
    static let text = "0123456789"

    let directory: TemporaryDirectory
    let urls: MediaURLs
    let serving: MediaServing

    /// - Parameter keys: The keys of signed URLs; `nil` for URLs that need no signature.
    static func run(
        keys: String? = nil, isPublic: Bool = true, accelRedirect: String? = nil,
        _ settings: HTTPServerSettings = HTTPServerSettings(), clock: any RequestClock = SystemClock(),
        access: AccessControl = AccessControl(), executor: any TaskExecutor = globalConcurrentExecutor,
        _ body: @Sendable (ServerBench, MediaBench) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let urls = MediaURLs(base: base, keys: try keys.map { try URLSigningKeys($0) })
        let serving = MediaServing(
            files: MediaFiles(root: directory.path, on: executor), clock: clock,
            urls: PerGroup(isPublic ? urls : nil),
            accelRedirect: accelRedirect, farewell: .milliseconds(10))
        let media = MediaBench(directory: directory, urls: urls, serving: serving)
        try media.write()
        try media.write("secret", as: "group.default/index.sqlite")
        try await ServerBench.run(settings, clock: clock, access: access, cache: EmptyCache(), media: serving) {
            bench in
            try await body(bench, media)
        }
    }

    /// Writes a file below the root, and its directories.
    func write(_ text: String = text, as path: String = place) throws {
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        try FileManager.default.createDirectory(
            atPath: "\(directory.path)/\(folder)", withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: "\(directory.path)/\(path)"))
    }

    /// Returns the path and the query of a URL.
    static func target(_ url: String) -> String { String(url.dropFirst(base.count)) }
}
