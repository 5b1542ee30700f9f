import Testing

@testable import Features
@testable import appgroupd

/// Tests of the line with the progress of a batch.
@Suite struct ProgressBarTests {
    private var progress: WarmProgress {
        var progress = WarmProgress()
        progress.done = 4_500
        progress.failed = 12
        progress.total = 10_000
        progress.bytes = 1_234_000_000
        progress.rate = 82.4
        progress.slowestHost = "cdn.example:8080"
        return progress
    }

    @Test(arguments: [
        (40, "[#####-------] 45% 4500/10000 12 failed"),
        (80, "[############----------------] 45% 4500/10000 12 failed 66.7 s left 82/s 1.2 GB"),
        (
            200,
            "[#################---------------------] 45% 4500/10000 12 failed 66.7 s left 82/s 1.2 GB slowest cdn.example:8080"
        ),
    ])
    func `the progress line has a bar that fits the width of the terminal`(_ width: Int, _ line: String) {
        #expect(ProgressBar(progress: progress).line(width: width - 1) == line)
    }

    @Test func `the progress line is never longer than the given width`() {
        for width in 1...250 { #expect(ProgressBar(progress: progress).line(width: width).count <= width) }
    }

    @Test func `the progress line has no bar if the number of items is unknown`() {
        var progress = progress
        progress.total = nil
        #expect(ProgressBar(progress: progress).line(width: 79).hasPrefix("4500 done 12 failed 82/s"))
    }
}
