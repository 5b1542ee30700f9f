import Base
import Foundation
import GRDB
import LinuxIO
import NotificationModel
import TestSupport

@testable import AppGroupStore
@testable import HTTPCaching
@testable import StoreTools

/// A root with ten responses and ten media files, which no process uses.
struct InspectionBench {
    let fixture: ResponseCacheFixture
    private let assets: [StoredAsset]

    var path: String { fixture.directory.path }

    init() async throws {
        fixture = try ResponseCacheFixture()
        let store = try AppGroupStore(root: fixture.directory.path)
        var assets: [StoredAsset] = []
        try await fixture.with { [fixture] cache in
            for number in 1...10 {
                try await fixture.store(
                    number == 10 ? "body X" : "body \(number)", "r\(number)", for: "https://a.example/\(number)",
                    in: cache)
                let text = "media \(number)"
                let info = RenditionInfo(
                    kind: .attachment, type: .jpeg, byteCount: text.utf8.count, width: 4, height: 3)
                let rendition = Rendition(info: info, file: try fixture.file(text))
                assets += try await store.store([rendition], in: .default, until: .distantPast)
            }
        }
        await store.shutdown()
        self.assets = assets
        for shard in ["group.default/media/0a", ".cache/bodies/00"] {
            try FileSystem.makeDirectories("\(path)/\(shard)")
        }
    }

    func inspect(repairs: Bool = false, hasDaemon: Bool = false) throws -> InspectionReport {
        try StoreInspection(root: path, repairs: repairs, hasDaemon: hasDaemon).run()
    }

    /// - Parameter number: The number of the media file, from 1.
    func digest(_ number: Int) -> String { assets[number - 1].sha256 }
    func media(_ number: Int) -> String { "\(path)/group.default/\(assets[number - 1].path)" }

    func body(_ number: Int) throws -> String {
        var configuration = Configuration()
        configuration.readonly = true
        let index = try DatabaseQueue(path: path + "/.cache/index.sqlite", configuration: configuration)
        let name = try index.read {
            try String.fetchOne($0, sql: "SELECT file FROM response WHERE id = ?", arguments: ["r\(number)"])
        }
        return CacheBodies(root: path).path(of: name ?? "")
    }

    func overwrite(_ file: String, _ text: String) throws { try FileSystem.write(Array(text.utf8), toFile: file) }

    func replaceByLink(_ file: String) throws {
        try FileSystem.remove(file)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "/etc/passwd")
    }

    /// Creates a file that is older than an hour.
    func plantOld(_ name: String) throws {
        try overwrite("\(path)/\(name)", "planted")
        try makeOld("\(path)/\(name)")
    }

    func makeOld(_ file: String) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -7_200)], ofItemAtPath: file)
    }

    /// Changes an index over a connection that the stores do not know.
    func change(_ store: String, _ sql: String) async throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let index = try DatabaseQueue(path: "\(path)/\(store)/index.sqlite", configuration: configuration)
        try await index.writeWithoutTransaction { try $0.execute(sql: sql) }
        try index.close()
    }
}
