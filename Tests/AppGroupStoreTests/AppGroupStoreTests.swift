import Base
import Foundation
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore

@Suite struct AppGroupStoreTests {
    @Test func `a stored file is named by the digest of its bytes and the extension of its type`() async throws {
        try await StoreFixture.with { fixture in
            let rendition = try await fixture.rendition("abc", type: .png)
            let asset = try #require(
                try await fixture.store.store([rendition], in: StoreFixture.group, until: .now).first)
            // FIPS 180-2, appendix B.1 has this digest.
            #expect(asset.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
            #expect(asset.path == "media/ba/ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad.png")
            let kept = try String(contentsOfFile: "\(fixture.groupDirectory)/\(asset.path)", encoding: .utf8)
            #expect(kept == "abc")
        }
    }

    @Test func `a scratch file has no name in any directory`() async throws {
        try await StoreFixture.with { fixture in
            let file = try fixture.store.scratchFile(for: .download, in: StoreFixture.group)
            try FileSystem.write([1, 2, 3], to: file.descriptor)
            let files = try fixture.directory.files()
            #expect(files.isEmpty)
        }
    }

    @Test func `the store writes equal bytes of concurrent callers to one file`() async throws {
        try await StoreFixture.with { fixture in
            try await withThrowingTaskGroup { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await fixture.store.store(
                            [try await fixture.rendition("same")], in: StoreFixture.group, until: .now)
                    }
                }
                for try await assets in group { #expect(assets.count == 1) }
            }
            let media = try fixture.directory.files().filter { $0.contains("/media/") }
            #expect(media.count == 1)
        }
    }

    @Test func `a writer with a descriptor of a rendition cannot change the stored file`() async throws {
        try await StoreFixture.with { fixture in
            let rendition = try await fixture.rendition("whole")
            let assets = try await fixture.store.store([rendition], in: StoreFixture.group, until: .now)
            #expect(pwrite(rendition.file.descriptor, "fraud", 5, 0) == 5)
            let path = "\(fixture.groupDirectory)/\(try #require(assets.first).path)"
            let kept = try String(contentsOfFile: path, encoding: .utf8)
            #expect(kept == "whole")
        }
    }

    @Test(arguments: ["who", "WHOLE", ""])
    func `a damaged file with the right name is replaced`(_ damage: String) async throws {
        try await StoreFixture.with { fixture in
            let assets = try await fixture.store.store(
                [try await fixture.rendition("whole")], in: StoreFixture.group, until: .now)
            let path = "\(fixture.groupDirectory)/\(try #require(assets.first).path)"
            try Data(damage.utf8).write(to: URL(filePath: path))
            _ = try await fixture.store.store(
                [try await fixture.rendition("whole")], in: StoreFixture.group, until: .now)
            let kept = try String(contentsOfFile: path, encoding: .utf8)
            #expect(kept == "whole")
            let partial = try fixture.directory.files().filter { $0.contains(".part-") }
            #expect(partial.isEmpty)
        }
    }

    @Test func `the store copies a rendition on a file system without nameless files`() async throws {
        try await StoreFixture.with { fixture in
            let rendition = try await fixture.rendition("copied")
            let file = MediaFile(descriptor: dup(rendition.file.descriptor))
            let assets = try await fixture.store.store(
                [Rendition(info: rendition.info, file: file)], in: StoreFixture.group, until: .now)
            let path = "\(fixture.groupDirectory)/\(try #require(assets.first).path)"
            let kept = try String(contentsOfFile: path, encoding: .utf8)
            #expect(kept == "copied")
        }
    }

    @Test func `files and directories have no permissions for other users`() async throws {
        let mask = umask(0o027)
        defer { umask(mask) }
        try await StoreFixture.with { fixture in
            let assets = try await fixture.store.store(
                [try await fixture.rendition("private")], in: StoreFixture.group, until: .now)
            let asset = try #require(assets.first)
            try await fixture.store.record(
                StoreFixture.message(.new(millisecondsSince1970: 1), [asset]),
                in: StoreFixture.group)
            for name in [asset.path, "media", "index.sqlite"] {
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(fixture.groupDirectory)/\(name)")
                let mode = try #require(attributes[.posixPermissions] as? NSNumber).intValue
                #expect(mode & 0o007 == 0, "\(name): \(String(mode, radix: 8))")
            }
        }
    }

    @Test func `the index lists the files of a message in their order`() async throws {
        try await StoreFixture.with { fixture in
            let assets = try await fixture.store.store(
                [try await fixture.rendition("one"), try await fixture.rendition("two")], in: StoreFixture.group,
                until: .now)
            let id = try #require(RequestID("m-1"))
            // A second emission of the same message replaces the first one.
            for attachments in [[assets[1]], assets] {
                try await fixture.store.record(
                    StoreFixture.message(id, providerID: "p-1", attachments),
                    in: StoreFixture.group)
            }
            let rows = try await fixture.rows(
                "SELECT path FROM messageFile WHERE providerId = 'p-1' AND kind = 'attachment' ORDER BY position")
            #expect(rows == assets.map(\.path))
        }
    }

    @Test func `the index marks the file that is the mask of a message`() async throws {
        try await StoreFixture.with { fixture in
            let assets = try await fixture.store.store(
                [try await fixture.rendition("one"), try await fixture.rendition("two")], in: StoreFixture.group,
                until: .now)
            var message = StoreFixture.message(try #require(RequestID("m-1")), providerID: "p-1", assets)
            message.attachments[1].role = .mask
            try await fixture.store.record(message, in: StoreFixture.group)
            let rows = try await fixture.rows("SELECT role FROM messageFile WHERE providerId = 'p-1' ORDER BY position")
            #expect(rows == ["attachment", "mask"])
        }
    }

    @Test func `the store reports an index that cannot be created, and removes no file`() async throws {
        try await StoreFixture.with { fixture in
            // A directory has the name of the index, and cannot be renamed.
            for path in ["/index.sqlite", "/index.sqlite.damaged/full"] {
                try FileManager.default.createDirectory(
                    atPath: fixture.groupDirectory + path, withIntermediateDirectories: true)
            }
            let assets = try await fixture.store.store(
                [try await fixture.rendition("safe")], in: StoreFixture.group, until: .now)
            let asset = try #require(assets.first)
            let message = StoreFixture.message(.new(millisecondsSince1970: 1), [asset])
            let failure = await #expect(throws: MediaFailure.self) {
                try await fixture.store.record(message, in: StoreFixture.group)
            }
            #expect(failure?.detail.contains("index") == true)
        }
    }

    @Test func `a file of one group is not stored in another group`() async throws {
        try await StoreFixture.with { fixture in
            let other = try #require(AppGroupName("group.other"))
            _ = try await fixture.store.store([try await fixture.rendition("mine")], in: other, until: .now)
            let files = try fixture.directory.files().filter { $0.contains("/media/") }
            #expect(files.count == 1)
            #expect(files.allSatisfy { $0.hasPrefix("group.other/") })
        }
    }

    @Test func `a write to a container that cannot be written fails with storage-failed`() async throws {
        try await StoreFixture.with { fixture in
            let rendition = try await fixture.rendition("lost")
            try FileManager.default.createDirectory(atPath: fixture.groupDirectory, withIntermediateDirectories: true)
            // A file has the name of the media directory.
            try Data().write(to: URL(filePath: fixture.groupDirectory + "/media"))
            await #expect(throws: MediaFailure.self) {
                try await fixture.store.store([rendition], in: StoreFixture.group, until: .now)
            }
            let failure = await #expect(throws: MediaFailure.self) {
                try await fixture.store.store([rendition], in: StoreFixture.group, until: .now)
            }
            #expect(failure?.reason == .storageFailed)
        }
    }

    @Test(arguments: ["/dev/null/root", "/proc/root-of-mine"])
    func `the store refuses a root that cannot be created`(_ root: String) {
        #expect(throws: SystemError.self) { try AppGroupStore(root: root) }
    }
}
