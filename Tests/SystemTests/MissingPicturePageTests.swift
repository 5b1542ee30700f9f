import Foundation
import NotificationModel
import TestSupport
import Testing

/// Tests of the page `docs/use/missing-picture.md`.
@Suite struct MissingPicturePageTests {
    @Test(arguments: DegradationReason.allCases) func `the page has a row for each reason`(_ reason: DegradationReason)
        throws
    {
        let page = try String(contentsOfFile: "\(Fixtures.project)/docs/use/missing-picture.md", encoding: .utf8)
        let cells = page.split(separator: "\n").filter { $0.hasPrefix("|") }.compactMap {
            $0.split(separator: "|").first
        }
        #expect(cells.contains { $0.contains("`\(reason.rawValue)`") })
    }
}
