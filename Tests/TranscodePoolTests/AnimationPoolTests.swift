import Base
import Foundation
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import TranscodePool

/// The tests of animations with the real worker in its sandbox.
@Suite(.timeLimit(.minutes(8)))
struct AnimationPoolTests {
    private static let directory = "\(Fixtures.directory)/animations"

    private static func files(_ directory: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.contains(".") }.sorted().map {
            "\(directory)/\($0)"
        }
    }

    @Test func `an animation of each format is copied or transcoded as its profile requires`() async throws {
        let wanted: [(String, MediaProfile, MediaFormat, Int)] = [
            ("drawing.webp", .ios, .gif, 6), ("drawing.png", .ios, .png, 6), ("photo.avif", .ios, .mp4, 44),
            ("alpha.webp", .ios, .gif, 6), ("alpha.avif", .ios, .gif, 6), ("photo.webp", .web, .webp, 6),
            ("photo.avif", .web, .avif, 6), ("photo.png", .web, .png, 6), ("exif.webp", .web, .webp, 6),
            ("photo.webp", .android, .jpeg, 1), ("photo.avif", .android, .jpeg, 1), ("alpha.webp", .watch, .gif, 6),
        ]
        try await withPool { pool in
            for (name, profile, type, frames) in wanted {
                var work = try PoolWork(path: "\(Self.directory)/\(name)")
                work.form = profile.attachment
                let made = try await work.run(in: pool).get().renditions
                #expect(made.map(\.info.kind) == [.attachment, .thumbnail], "\(name)")
                #expect(
                    made[0].info.type == type && made[0].info.frames == frames,
                    "\(name) \(profile.name) \(made[0].info)")
            }
        }
    }

    @Test func `the renditions of 200 random animations do not exceed their caps`() async throws {
        var random = SeededGenerator.random()
        let files = try Self.files("\(Self.directory)/random")
        #expect(files.count == 200)
        try await withPool { pool in
            for file in files {
                var work = try PoolWork(path: file)
                work.form = [MediaProfile.ios, .web, .android, .watch].randomElement(using: &random)!.attachment
                work.form.imageSide = Int.random(in: 4...48, using: &random)
                work.form.videoSide = work.form.imageSide
                work.form.imageBytes = Int.random(in: 1_000...6_000, using: &random)
                let form = work.form
                let made = try await work.run(in: pool).get().renditions
                for rendition in made {
                    let info = rendition.info
                    let maxBytes = info.type == .mp4 ? form.videoBytes : form.imageBytes
                    #expect(info.byteCount <= maxBytes, "\(file) \(info)")
                    #expect(max(info.width, info.height) <= max(form.imageSide, form.thumbnailSide ?? 0), "\(file)")
                    #expect(try FileSystem.size(of: rendition.file) == info.byteCount, "\(file)")
                }
            }
        }
    }

    @Test func `a damaged animation does not end its worker`() async throws {
        var random = SeededGenerator.random()
        let files = try Self.files(Self.directory).filter { !$0.contains("1001") }
        let path = "/tmp/agd-animation-\(getpid())"
        defer { unlink(path) }
        try await withPool { pool in
            _ = try await PoolWork("photo-small.jpg").run(in: pool).get()
            let worker = try await pool.onlyWorker
            for number in 0..<TestLength.rounds(500, short: 60) {
                let file = files[number % files.count]
                var bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
                for _ in 0...Int.random(in: 0...6, using: &random) {
                    // The first 12 bytes do not change, so that the format is still recognized.
                    let place = Int.random(in: 12..<bytes.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: bytes[place] = .random(in: 0...255, using: &random)
                    case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                    case 2:
                        bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...9, using: &random)))
                    default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 20)], at: place)
                    }
                    if bytes.count < 40 { break }
                }
                try Data(bytes).write(to: URL(filePath: path))
                var work = try PoolWork(path: path)
                work.form = (number % 3 == 0 ? MediaProfile.ios : .web).attachment
                if number % 2 == 0 { work.form.imageSide = 48 }
                let failure = try await work.run(in: pool).failure
                #expect(
                    failure?.reason != .workerCrashed && failure?.reason != .internal, "\(number) \(file): \(failure!)")
            }
            #expect(try await pool.onlyWorker == worker)
        }
    }
}
