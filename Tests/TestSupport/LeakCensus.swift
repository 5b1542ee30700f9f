import Foundation

/// What a process holds: descriptors by what they are, threads, children. Taken before and after, it shows leaks.
package struct LeakCensus: Equatable, CustomStringConvertible {
    /// Numbers are left out: `socket:[123]` counts as `socket`.
    package var descriptors: [String: Int] = [:]
    package var threads = 0
    package var children: [Int] = []

    /// - Parameter process: its number; `self` is this one.
    package static func take(of process: String = "self") -> LeakCensus {
        var census = LeakCensus()
        let folder = "/proc/\(process)/fd"
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)"),
                !target.hasPrefix("/proc/")
            else { continue }
            let kind = target.split(separator: ":").first.map(String.init) ?? target
            census.descriptors[target.hasSuffix("(deleted)") ? "nameless file" : kind, default: 0] += 1
        }
        census.threads = Self.threads(of: process).count
        census.children = Self.children(of: process)
        return census
    }

    package var description: String { "descriptors \(descriptors), threads \(threads), children \(children)" }

    private static func threads(of process: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
    }

    private static func children(of process: String) -> [Int] {
        threads(of: process).flatMap { thread in
            let list = try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/children", encoding: .utf8)
            return (list ?? "").split(separator: " ").compactMap { Int($0) }
        }.sorted()
    }
}
