import Foundation
import GRDB
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore
@testable import StoreTools

/// Tests of `cache verify`, which finds planted damage by its kind and repairs it.
@Suite struct StoreInspectionPlainTests {
    private static let group = "group.default"

    /// A modification of a store's root directory, and the kind of damage that the inspection must report.
    struct Planted: Sendable, CustomTestStringConvertible {
        let name: String
        let kind: StoreDamage.Kind
        let plant: @Sendable (InspectionBench) async throws -> Void
        var testDescription: String { name }

        init(
            _ name: String, _ kind: StoreDamage.Kind,
            _ plant: @escaping @Sendable (InspectionBench) async throws -> Void
        ) {
            self.name = name
            self.kind = kind
            self.plant = plant
        }
    }

    static let all: [Planted] = [
        Planted("a missing body", .missing) { try FileSystem.remove($0.body(1)) },
        Planted("a link in place of a body", .missing) { try $0.replaceByLink($0.body(2)) },
        Planted("a truncated body", .truncated) { try $0.overwrite($0.body(3), "bod") },
        Planted("an empty body", .truncated) { try $0.overwrite($0.body(4), "") },
        Planted("a body with another byte", .wrongDigest) { try $0.overwrite($0.body(5), "bOdy 5") },
        Planted("a body with bytes at its end", .wrongDigest) { try $0.overwrite($0.body(6), "body 6+") },
        Planted("a body without a row", .orphan) { try $0.plantOld(".cache/bodies/00/\(UUID().uuidString)") },
        Planted("a response that counts wrong", .indexMismatch) {
            try await $0.change(".cache", "UPDATE response SET bytes = bytes + 7 WHERE id = 'r7'")
        },
        Planted("a response with an invalid status", .indexMismatch) {
            try await $0.change(".cache", "UPDATE response SET status = 9 WHERE id = 'r8'")
        },
        Planted("a response with a file elsewhere", .indexMismatch) {
            try await $0.change(
                ".cache", "UPDATE response SET file = '../../group.default/index.sqlite' WHERE id = 'r9'")
        },
        Planted("totals that are wrong", .indexMismatch) {
            try await $0.change(".cache", "UPDATE total SET entries = entries + 5")
        },
        Planted("a missing media file", .missing) { try FileSystem.remove($0.media(1)) },
        Planted("a link in place of a media file", .missing) { try $0.replaceByLink($0.media(2)) },
        Planted("a truncated media file", .truncated) { try $0.overwrite($0.media(3), "med") },
        Planted("an empty media file", .truncated) { try $0.overwrite($0.media(4), "") },
        Planted("a media file with another byte", .wrongDigest) { try $0.overwrite($0.media(5), "mEdia 5") },
        Planted("a media file without a row", .orphan) { bench in
            try await bench.change(
                Self.group, "PRAGMA foreign_keys = ON; DELETE FROM asset WHERE sha256 = '\(bench.digest(6))'")
            try bench.makeOld(bench.media(6))
        },
        Planted("a media file without a row and with other bytes", .orphan) {
            try $0.plantOld("\(Self.group)/media/0a/0a\(String(repeating: "0", count: 62)).jpg")
        },
        Planted("a media file that never got its name", .orphan) { try $0.plantOld("\(Self.group)/media/0a/.part-7") },
        Planted("a media file of no type", .orphan) {
            try $0.plantOld("\(Self.group)/media/0a/0a\(String(repeating: "1", count: 62)).exe")
        },
        Planted("a media file in the directory of others", .orphan) {
            try $0.plantOld("\(Self.group)/media/0a/0b\(String(repeating: "0", count: 62)).jpg")
        },
        Planted("a row with another size", .indexMismatch) { bench in
            try await bench.change(Self.group, "UPDATE asset SET bytes = 99 WHERE sha256 = '\(bench.digest(7))'")
        },
        Planted("a row with another type", .indexMismatch) { bench in
            try await bench.change(
                Self.group, "UPDATE asset SET mimeType = 'image/png' WHERE sha256 = '\(bench.digest(8))'")
        },
        Planted("a row with a path elsewhere", .indexMismatch) { bench in
            try await bench.change(
                Self.group, "UPDATE asset SET path = '../../../x' WHERE sha256 = '\(bench.digest(9))'")
        },
        Planted("a row with an invalid digest", .indexMismatch) { bench in
            try await bench.change(Self.group, "UPDATE asset SET sha256 = 'nix' WHERE sha256 = '\(bench.digest(10))'")
            try FileSystem.remove(bench.media(10))
        },
        Planted("renditions of a file without a row", .indexMismatch) {
            try await $0.change(
                Self.group,
                """
                PRAGMA foreign_keys = OFF;
                INSERT INTO rendition VALUES ('r1', 'recipe', 0, 1, 'attachment', 'gone', 'image/jpeg', 7, 0, NULL, NULL)
                """)
        },
        Planted("a pin of a file without a row", .indexMismatch) {
            try await $0.change(
                Self.group,
                """
                PRAGMA foreign_keys = OFF;
                INSERT INTO pin VALUES ('u', 'recipe', 0, 1, 'attachment', 'lost', 'image/jpeg', 7, 1, NULL, NULL)
                """)
        },
        Planted("a message's file without a row", .indexMismatch) {
            try await $0.change(
                Self.group,
                """
                PRAGMA foreign_keys = OFF;
                INSERT INTO messageAsset (messageId, position, kind, sha256, identifier, url, profile, sourceType,
                    sourceBytes) VALUES ('m', 0, 'attachment', 'gone', 'a', 'u', 'ios', 'image/jpeg', 7)
                """)
        },
    ]

    @Test func `an intact root has no damage`() async throws {
        let bench = try await InspectionBench()
        let report = try bench.inspect()
        #expect(report.damages.isEmpty)
        #expect((report.responses, report.files) == (10, 10))
        #expect(report.bytes == 10 * 6 + 9 * 7 + 8)
    }

    @Test(arguments: all)
    func `a check finds each kind of damage, and a repair removes the damage`(_ planted: Planted) async throws {
        let bench = try await InspectionBench()
        try await planted.plant(bench)
        #expect(try bench.inspect().damages.map(\.kind) == [planted.kind])
        let repaired = try bench.inspect(repairs: true).damages
        #expect(repaired.map(\.kind) == [planted.kind])
        #expect(repaired.map(\.isRepaired) == [true])
        #expect(try bench.inspect().damages == [])
    }

    @Test func `a check finds more than twenty damaged entries, and one run repairs all of them`() async throws {
        let bench = try await InspectionBench()
        for planted in Self.all { try await planted.plant(bench) }
        let kinds = try bench.inspect().damages.map(\.kind.rawValue).sorted()
        #expect(kinds.count >= 20)
        #expect(kinds == Self.all.map(\.kind.rawValue).sorted())
        #expect(try bench.inspect(repairs: true).damages.allSatisfy { $0.isRepaired == true })
        #expect(try bench.inspect().damages == [])
    }

    @Test func `a file without a row is not damage for an hour`() async throws {
        let bench = try await InspectionBench()
        try bench.overwrite("\(bench.path)/.cache/bodies/00/\(UUID().uuidString)", "new")
        try bench.overwrite("\(bench.path)/\(Self.group)/media/0a/.part-7", "new")
        #expect(try bench.inspect(repairs: true).damages == [])
    }

    @Test func `a leased row without a file is not damage`() async throws {
        let bench = try await InspectionBench()
        try FileSystem.remove(bench.media(1))
        try await bench.change(
            Self.group,
            "UPDATE asset SET usedAt = unixepoch(), heldUntil = unixepoch() + 90 WHERE sha256 = '\(bench.digest(1))'")
        #expect(try bench.inspect().damages == [])
    }

    @Test func `a file that the program did not create is not damage`() async throws {
        let bench = try await InspectionBench()
        try bench.plantOld("\(Self.group)/media/0a/notes.txt")
        #expect(try bench.inspect(repairs: true).damages == [])
    }

    @Test func `a repair removes no file outside of the cache`() async throws {
        let bench = try await InspectionBench()
        let planted = try #require(Self.all.first { $0.name == "a response with a file elsewhere" })
        try await planted.plant(bench)
        _ = try bench.inspect(repairs: true)
        #expect(FileSystem.size(of: "\(bench.path)/\(Self.group)/index.sqlite") != nil)
    }

    @Test(arguments: [".cache", group])
    func `an index that cannot be read is reported, and replaced if no daemon runs`(_ store: String) async throws {
        let bench = try await InspectionBench()
        for part in ["-wal", "-shm"] { try? FileSystem.remove("\(bench.path)/\(store)/index.sqlite\(part)") }
        try bench.overwrite("\(bench.path)/\(store)/index.sqlite", String(repeating: "no database ", count: 999))
        #expect(try bench.inspect().damages.map(\.kind) == [.indexDamaged])
        #expect(try bench.inspect(repairs: true, hasDaemon: true).damages.map(\.isRepaired) == [false])
        #expect(try bench.inspect(repairs: true).damages.map(\.isRepaired) == [true])
        let report = try bench.inspect()
        #expect(report.damages == [])
        // The new index of a container lists its media files again. The new index of the HTTP cache is empty, because
        // the daemon can fetch the responses again.
        #expect((report.responses, report.files) == (store == ".cache" ? (0, 10) : (10, 10)))
    }
}
