import Base
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of GIFs with frames that are larger than their screens.
@Suite struct GIFScreenTests {
    private static let screens: [(Int, Int)] = [
        (0, 0), (79, 59), (40, 30), (79, 60), (80, 59), (0, 60), (80, 1), (200, 20), (20, 200),
    ]

    private func expectQuarters(
        _ words: String, _ pixel: (_ x: Int, _ y: Int) throws -> [Int]
    ) rethrows {
        for (quarter, place) in [(1, 1), (3, 1), (1, 3), (3, 3)].enumerated() {
            let color = try pixel(80 * place.0 / 4, 60 * place.1 / 4)
            let isNear = zip(color, SampleGIF.colors[quarter]).allSatisfy { abs($0 - Int($1)) <= 12 }
            #expect(isNear, "\(words), quarter \(quarter): \(color)")
        }
    }

    @Test(arguments: screens, [false, true])
    func `the logical screen grows to a larger first frame`(_ screen: (Int, Int), _ isInterlaced: Bool) throws {
        let frame = SampleGIF.Frame(width: 80, height: 60, isInterlaced: isInterlaced)
        for count in [1, 2] {
            let source = SampleGIF.bytes(screen: screen, Array(repeating: frame, count: count))
            let size = (max(80, screen.0), max(60, screen.1))
            let done = Workbench.run(
                source, as: .gif, [Workbench.order(.thumbnail, 400), Workbench.order(.attachment, 400)])
            #expect(done.reports.map { [$0.width, $0.height] }.first == [UInt32(size.0), UInt32(size.1)])
            let thumbnail = try #require(done.outputs.first)
            let format = try #require(done.reports.first).format
            try expectQuarters("\(screen), \(count)") { try Workbench.mean(thumbnail, as: format, x: $0, y: $1) }
            // The copy has the corrected screen, so that all viewers show it in the same way.
            let copy = try #require(done.outputs.last)
            #expect(copy.starts(with: Array("GIF89a".utf8)))
            #expect(copy[6..<10].elementsEqual([UInt8(size.0), 0, UInt8(size.1), 0]))
        }
    }

    /// The arguments are the offset of the first frame, which extends over the edge of the screen or lies beyond it.
    @Test(
        arguments: [(1, 0), (0, 1), (70, 50), (79, 59), (80, 0), (0, 60), (80, 60), (150, 0)], [false, true])
    func `the logical screen grows to a first frame outside of it`(_ place: (Int, Int), _ isInterlaced: Bool) throws {
        let frame = SampleGIF.Frame(x: place.0, y: place.1, width: 80, height: 60, isInterlaced: isInterlaced)
        let size = (80 + place.0, 60 + place.1)
        for count in [1, 2] {
            let source = SampleGIF.bytes(screen: (80, 60), Array(repeating: frame, count: count))
            let done = Workbench.run(
                source, as: .gif, [Workbench.order(.thumbnail, 400), Workbench.order(.attachment, 400)])
            let report = try #require(done.reports.first, "\(done.reply)")
            #expect([report.width, report.height] == [UInt32(size.0), UInt32(size.1)])
            let format = report.format
            try expectQuarters("\(place), \(count)") {
                try Workbench.mean(done.outputs[0], as: format, x: place.0 + $0, y: place.1 + $1)
            }
            if place.0 > 0 { #expect(try Workbench.pixel(done.outputs[0], as: format, x: 0, y: place.1 + 9)[3] == 0) }
            #expect(done.outputs[1][6..<10].elementsEqual([UInt8(size.0 & 255), UInt8(size.0 >> 8), UInt8(size.1), 0]))
        }
        var smaller = Workbench.order(.attachment, 40)
        smaller.takesVideos = true
        let source = SampleGIF.bytes(screen: (80, 60), [frame, frame])
        let made = try #require(Workbench.run(source, as: .gif, [smaller]).reports.first)
        #expect(made.format == (place == (0, 0) ? .mp4 : .gif) && max(made.width, made.height) == 40)
    }

    @Test func `a first frame beyond the largest possible screen does not cause an internal failure`() {
        for place in [(65_535, 0), (0, 65_535), (65_535, 65_535), (65_500, 10)] {
            let frame = SampleGIF.Frame(x: place.0, y: place.1, width: 80, height: 60)
            for screen in [(1, 1), (80, 60), (65_535, 65_535)] {
                let source = SampleGIF.bytes(screen: screen, [frame])
                let done = Workbench.run(source, as: .gif, [Workbench.order(.thumbnail, 40)])
                #expect([nil, .tooManyPixels, .corrupt].contains(done.failure), "\(place), \(screen): \(done.reply)")
            }
        }
    }

    @Test func `all frames of an animation are shown completely if the first frame is larger than the screen`() throws {
        let frame = SampleGIF.Frame(width: 80, height: 60)
        let animation = try AnimationFile(SampleGIF.bytes(screen: (79, 59), [frame, frame]), as: .gif)
        #expect(animation.frames.count == 2)
        for number in 0..<2 {
            expectQuarters("frame \(number)") { animation.pixel(number, x: $0, y: $1) }
        }
    }

    @Test(arguments: [(81, 61), (160, 60), (80, 120), (300, 300)], [false, true])
    func `a later frame that is larger than the screen is cropped`(_ size: (Int, Int), _ isInterlaced: Bool) throws {
        let frames = [
            SampleGIF.Frame(width: 80, height: 60),
            SampleGIF.Frame(width: size.0, height: size.1, isInterlaced: isInterlaced),
            SampleGIF.Frame(width: 80, height: 60),
        ]
        let animation = try AnimationFile(SampleGIF.bytes(screen: (80, 60), frames), as: .gif)
        #expect(animation.facts.size == PixelSize(80, 60))
        #expect(animation.frames.map(\.count) == Array(repeating: 80 * 60 * 4, count: 3))
        for x in stride(from: 2, to: 80, by: 11) {
            for y in stride(from: 2, to: 60, by: 7) {
                let quarter = (y * 2 < size.1 ? 0 : 2) + (x * 2 < size.0 ? 0 : 1)
                #expect(
                    animation.pixel(1, x: x, y: y).prefix(3).elementsEqual(SampleGIF.colors[quarter].map(Int.init)))
            }
        }
        expectQuarters("the frame after it") { animation.pixel(2, x: $0, y: $1) }
    }

    @Test(arguments: [(70, 50), (80, 0), (0, 60), (200, 200)])
    func `a later frame that extends over the edge of the screen is cropped`(_ place: (Int, Int)) throws {
        let frames = [
            SampleGIF.Frame(width: 80, height: 60),
            SampleGIF.Frame(x: place.0, y: place.1, width: 80, height: 60),
            SampleGIF.Frame(width: 80, height: 60),
        ]
        let animation = try AnimationFile(SampleGIF.bytes(screen: (80, 60), frames), as: .gif)
        #expect(animation.frames.map(\.count) == Array(repeating: 80 * 60 * 4, count: 3))
        expectQuarters("the frame after it") { animation.pixel(2, x: $0, y: $1) }
        if place == (70, 50) {
            #expect(animation.pixel(1, x: 75, y: 55).prefix(3).elementsEqual([220, 30, 30]))
            #expect(animation.pixel(1, x: 60, y: 45).prefix(3).elementsEqual([230, 220, 40]))
        }
    }

    @Test func `a GIF image without LZW codes is transparent`() throws {
        var source = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 0, 0x3B]
        #expect(source.count == 26)
        let copied = Workbench.run(source, as: .gif, [Workbench.order(.attachment, 400)])
        #expect(copied.reports.first?.format == .gif && copied.outputs[0] == source)
        (source[6], source[8]) = (200, 200)
        let done = Workbench.run(source, as: .gif, [Workbench.order(.thumbnail, 100)])
        let report = try #require(done.reports.first, "\(done.reply)")
        #expect(report.format == .png && report.width == 100)
        #expect(try Workbench.pixel(done.outputs[0], as: .png, x: 50, y: 50)[3] == 0)
    }

    @Test(arguments: [UInt8(0), 12, 255])
    func `a frame with unreadable LZW codes ends the animation`(_ codeBits: UInt8) throws {
        let frames = Array(repeating: SampleGIF.Frame(width: 80, height: 60), count: 4)
        var source = SampleGIF.bytes(screen: (80, 60), frames)
        let places = source.indices.filter { place in
            place + 10 < source.count && source[place] == 0x2C
                && source[place..<place + 11].elementsEqual(
                    [0x2C, 0, 0, 0, 0, 80, 0, 60, 0, 0, 2])
        }
        #expect(places.count == 4)
        source[places[2] + 10] = codeBits
        let animation = try AnimationFile(source, as: .gif)
        #expect(animation.frames.count == 2 && animation.facts.frames == 2)
        for number in 0..<2 { expectQuarters("frame \(number)") { animation.pixel(number, x: $0, y: $1) } }
        source[places[0] + 10] = codeBits
        #expect(Workbench.run(source, as: .gif, [Workbench.order(.thumbnail, 80)]).failure == .corrupt)
    }

    @Test func `a later frame beyond all limits is refused`() throws {
        var frames = [SampleGIF.Frame(width: 8, height: 6)]
        frames.append(SampleGIF.Frame(width: 8, height: 6))
        var source = SampleGIF.bytes(screen: (8, 6), frames)
        let second = try #require(source.lastIndex(of: 0x2C))
        source.replaceSubrange(second + 5..<second + 9, with: [0xFF, 0xFF, 0xFF, 0xFF])
        let done = Workbench.run(source, as: .gif, [Workbench.order(.thumbnail, 400)])
        #expect(done.failure == .tooManyPixels)
    }
}
