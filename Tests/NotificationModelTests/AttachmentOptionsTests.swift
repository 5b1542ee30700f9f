import Base
import NotificationModel
import Testing

struct AttachmentOptionsTests {
    private typealias Rect = Rectangle<Double>

    private func options(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> AttachmentOptions {
        var options = AttachmentOptions()
        options.thumbnailClippingRect = Rect(x: x, y: y, width: width, height: height)
        return options
    }

    @Test func `a clipping rectangle within the image is not changed`() {
        #expect(AttachmentOptions().thumbnailClip == nil)
        #expect(options(0.25, 0.5, 0.5, 0.25).thumbnailClip == Rect(x: 0.25, y: 0.5, width: 0.5, height: 0.25))
    }

    @Test(arguments: [
        ([0.5, 0.5, 1, 1], [0.5, 0.5, 0.5, 0.5]), ([-1, 0, 1.5, 1], [0, 0, 0.5, 1]),
        ([0, 0.75, 1, 1e300], [0, 0.75, 1, 0.25]),
    ])
    func `the parts of a clipping rectangle outside of the image are removed`(_ sides: [Double], _ wanted: [Double]) {
        let clip = options(sides[0], sides[1], sides[2], sides[3]).thumbnailClip
        #expect(clip.map { [$0.x, $0.y, $0.width, $0.height] } == wanted)
    }

    @Test(
        arguments: [
            [0, 0, 1, 1], [-1, -1, 5, 5], [0, 0, 0, 1], [0, 0, 1, 0], [1, 0, 1, 1], [0, 1, 1, 1],
            [0.5, 0.5, -0.2, 0.2],
            [.nan, 0, 1, 1], [0, 0, .nan, 1], [.infinity, 0, 1, 1],
        ] as [[Double]])
    func `a clipping rectangle that covers the whole image or no part of the image is ignored`(_ sides: [Double]) {
        #expect(options(sides[0], sides[1], sides[2], sides[3]).thumbnailClip == nil)
        #expect(options(sides[0], sides[1], sides[2], sides[3]).thumbnailKey.isEmpty)
    }

    @Test func `options that result in different files have different keys`() {
        var timed = AttachmentOptions()
        timed.thumbnailTime = 2.5
        var hidden = options(0, 0, 0.5, 1)
        hidden.thumbnailHidden = true
        var hiddenOnly = AttachmentOptions()
        hiddenOnly.thumbnailHidden = true
        let all = [
            AttachmentOptions(), timed, hiddenOnly, options(0, 0, 0.5, 1), options(0, 0, 0.5, 0.9),
            options(0.1, 0, 0.5, 1), options(0, 0.1, 0.5, 0.9),
        ]
        #expect(Set(all.map(\.thumbnailKey)).count == all.count)
        #expect(AttachmentOptions().thumbnailKey.isEmpty)
        #expect(hidden.thumbnailKey == hiddenOnly.thumbnailKey)
        #expect(options(0.5, 0, 0.5, 1).thumbnailKey == options(0.5, 0, 0.9, 1).thumbnailKey)
    }
}
