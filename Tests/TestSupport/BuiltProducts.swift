import Foundation

/// The programs that were built together with the tests.
package enum BuiltProducts {
    package static func path(of name: String) -> String {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(filePath: own).deletingLastPathComponent().appending(path: name).path()
    }

    package static let worker = path(of: "appgroupd-transcode")
    package static let laboratory = path(of: "appgroupd-lab")
    package static let appgroupd = path(of: "appgroupd")
}
