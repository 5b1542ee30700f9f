import Base
import CFFmpeg
import MediaHeaders
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of the renditions that are made if there is not enough time for all orders.
struct TranscodePlanTests {
    private static let specs = [Workbench.order(.attachment, 1_024), Workbench.order(.thumbnail, 256)]

    private func facts(_ bytes: [UInt8], _ format: MediaFormat) throws -> ImageFacts {
        try ImageInspection.inspect(bytes.span, as: format, limits: DecodeLimits())
    }

    /// Returns the facts of a progressive JPEG from a camera, whose first scans are a small part of the file. Only its
    /// numbers are used here.
    private func photo() throws -> ImageFacts {
        var facts = try facts(Workbench.fixture("progressive.jpg"), .jpeg)
        facts.size = PixelSize(4_000, 3_000)
        facts.memory.kept = 36_000_000
        facts.decoded = [0..<3_000_000]
        facts.endsOfScans = [1: 1_000_000, 2: 540_000, 3: 150_000]
        return facts
    }

    private func side(_ work: TranscodePlan) -> Int? { work.stills.map(\.size.longestSide).max() }

    @Test func `all renditions are made if there is no time limit or if there is enough time`() throws {
        for time in [nil, 1e9] {
            let work = try TranscodePlan.fitting(Self.specs, of: photo(), byteCount: 3_000_000, in: time)
            #expect(work.reduction == nil && work.stills.map(\.size.longestSide) == [1_024, 256])
        }
    }

    @Test func `a plan is reduced if there is less time, and fits the time if any plan fits`() throws {
        let facts = try photo()
        let whole = try TranscodePlan(Self.specs, of: facts, byteCount: 3_000_000)
        var sides: [Int] = []
        for share in [1.0, 0.8, 0.5, 0.2, 0.01] {
            let work = try TranscodePlan.fitting(
                Self.specs, of: facts, byteCount: 3_000_000, in: whole.cost * share)
            #expect((work.reduction == nil) == (side(work) == 1_024))
            #expect(work.cost <= whole.cost * share || side(work) == 128, "\(share)")
            #expect(work.orderedCost == whole.cost && work.minCost <= work.cost)
            #expect((work.reduction == .thumbnail) == (work.specs.count == 1))
            sides.append(try #require(side(work)))
        }
        #expect(sides == sides.sorted(by: >) && sides.first == 1_024 && sides.last == 128)
        #expect(Set(sides).count >= 3)
    }

    @Test func `a plan is not reduced if the smaller plan would hardly be faster`() throws {
        // A PNG is decoded completely for any size.
        var facts = try facts(Workbench.fixture("interlaced.png"), .png)
        facts.size = PixelSize(6_000, 4_000)
        let work = try TranscodePlan.fitting(
            [Workbench.order(.thumbnail, 64), Workbench.order(.attachment, 128)], of: facts, byteCount: 20_000_000,
            in: 1)
        #expect(work.reduction == nil)
    }

    @Test func `an animation becomes a still image if the remaining time is too short for it`() throws {
        let source = Workbench.fixture("animation-large.gif")
        let order = Workbench.order(.attachment, 200, videoSide: 200)
        let outcome = Workbench.run(source, as: .gif, [order, Workbench.order(.thumbnail, 64)], milliseconds: 0)
        #expect(outcome.reports.map(\.reduction) == [.still, nil])
        #expect(outcome.reports.map(\.format) == [.png, .png])
        #expect(outcome.reports.first?.preview != nil)
        let whole = Workbench.run(source, as: .gif, [order], milliseconds: 600_000)
        #expect(whole.reports.map(\.format) == [.mp4] && whole.reports.map(\.reduction) == [nil])
    }

    @Test func `an animation without time for its copy becomes a still image instead of a smaller image`() throws {
        var facts = try facts(Workbench.fixture("animation.gif"), .gif)
        facts.size = PixelSize(1_000, 1_000)
        let whole = try TranscodePlan.fitting(Self.specs, of: facts, byteCount: 500_000, in: nil)
        #expect(whole.plans.first?.isCopy == true && whole.reduction == nil)
        let work = try TranscodePlan.fitting(Self.specs, of: facts, byteCount: 500_000, in: 1)
        #expect(work.plans.first?.isCopy == false && work.reduction == .still)
    }

    @Test func `a JPEG costs more if all coefficients are read than if only the lowest are kept`() throws {
        let photo = try photo()
        var other = photo
        other.endsOfScans = [:]
        let specs = [Workbench.order(.attachment, 500)]
        func cost(_ facts: ImageFacts) throws -> Double {
            try TranscodePlan(specs, of: facts, byteCount: 3_000_000).cost
        }
        #expect(try cost(other) - cost(photo) > Double(photo.size.pixels) * 0.0007 + 2_850_000 * 0.026 - 1)
    }

    @Test func `a video without enough time becomes a still image with the time of the poster`() throws {
        let source = Workbench.fixture("video-1080p.mp4")
        var poster = Workbench.order(.poster, 320)
        poster.stillAtMilliseconds = 500
        let specs = [Workbench.order(.attachment, 320, videoSide: 160), Workbench.order(.thumbnail, 64), poster]
        let outcome = Workbench.run(source, as: .mp4, specs, milliseconds: 0)
        #expect(outcome.reports.map(\.reduction) == [.still, nil, nil])
        #expect(outcome.reports.map(\.format) == [.jpeg, .jpeg, .jpeg])
        try #require(outcome.outputs.count == 3)
        #expect(outcome.outputs[0] == outcome.outputs[2])
    }

    @Test func `the estimated time of a copied video is zero`() throws {
        let source = Workbench.fixture("video-1080p.mp4")
        let order = Workbench.order(.attachment, 1_024, videoSide: 1_920)
        let outcome = Workbench.run(source, as: .mp4, [order], milliseconds: 0)
        #expect(outcome.reports.map(\.format) == [.mp4] && outcome.reports.map(\.reduction) == [nil])
    }

    @Test func `an image without enough time gets the smallest allowed size`() throws {
        let source = try SampleImage.jpeg(width: 1_600, height: 1_200)
        let outcome = Workbench.run(source, as: .jpeg, Self.specs, milliseconds: 0)
        let report = try #require(outcome.reports.first, "\(outcome.reply)")
        #expect(report.reduction == .thumbnail && report.width == 128 && outcome.reports.count == 1)
        let whole = Workbench.run(source, as: .jpeg, Self.specs, milliseconds: 60_000)
        #expect(whole.reports.first?.reduction == nil && whole.reports.first?.width == 1_024)
    }

    /// The costs are no exact times. The costs only have to order cheaper and more expensive work.
    @Test func `a plan that takes longer has a higher cost`() throws {
        func cost(_ name: String, _ format: MediaFormat, _ specs: [RenditionSpec] = Self.specs) throws -> Double {
            let bytes = Workbench.fixture(name)
            return try TranscodePlan(specs, of: facts(bytes, format), byteCount: bytes.count).cost
        }
        let small = [Workbench.order(.attachment, 64)]
        #expect(try cost("photo-small.jpg", .jpeg, small) < cost("photo-small.jpg", .jpeg))
        #expect(try cost("heic-thumbnail.heic", .heic, small) < cost("heic-thumbnail.heic", .heic))
        #expect(
            try cost(
                "animation-large.gif", .gif,
                small.map {
                    var still = $0
                    still.takesAnimations = false
                    return still
                })
                < cost("animation-large.gif", .gif, small))
        for (name, format) in [("icon.ico", MediaFormat.ico), ("bmp-24.bmp", .bmp), ("lossless-alpha.webp", .webp)] {
            #expect(try cost(name, format) > 0)
        }
    }
}
