import Foundation
import NotificationModel
import TestSupport
import Testing

/// Tests that `docs/reference/profiles.md` describes the profiles.
@Suite struct ProfilePageTests {
    private static func grouped(_ number: Int) -> String {
        let digits = Array(String(number))
        return digits.indices.map { index in
            (index > 0 && (digits.count - index) % 3 == 0 ? "," : "") + String(digits[index])
        }.joined()
    }

    private static func row(_ profile: MediaProfile, _ role: MediaRole) -> String {
        let form = profile.form(of: role)
        let shape =
            form.isMask ? "white shape with alpha" : form.minAspect.map { "at least \($0):1" } ?? "whole"
        let cells = [
            "`\(profile.name)`", role.rawValue, grouped(form.imageSide), "\(grouped(form.imageBytes)) bytes",
            form.thumbnailSide.map(grouped) ?? "none", "\(grouped(form.copiedVideoSide)) · \(grouped(form.videoSide))",
            shape,
        ]
        return "| \(cells.joined(separator: " | ")) |"
    }

    @Test func `the table has a row for each role of each profile, and no other rows`() throws {
        let directory = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let page = try String(contentsOfFile: "/\(directory)/docs/reference/profiles.md", encoding: .utf8)
        let wanted = MediaProfile.all.flatMap { profile in
            [MediaRole.attachment, .icon, .badge, .actionIcon, .mask].filter(profile.roles.contains).map {
                Self.row(profile, $0)
            }
        }
        let rows = page.split(separator: "\n").map(String.init).drop { !$0.hasPrefix("|---") }.dropFirst()
            .prefix { $0.hasPrefix("|") }
        #expect(Array(rows) == wanted)
    }
}
