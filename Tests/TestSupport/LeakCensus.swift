import Foundation

/// What a process holds: descriptors by what they are, threads, children. Taken before and after, it shows leaks.
package struct LeakCensus: Equatable, CustomStringConvertible {
    /// Numbers are left out: `socket:[123]` counts as `socket`.
    package var descriptors: [String: Int] = [:]
    package var threads = 0
    package var children: [Int] = []

    /// Of this process.
    package static func take() -> LeakCensus {
        var census = LeakCensus()
        let folder = "/proc/self/fd"
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)"),
                !target.hasPrefix("/proc/")
            else { continue }
            let kind = target.split(separator: ":").first.map(String.init) ?? target
            census.descriptors[target.hasSuffix("(deleted)") ? "nameless file" : kind, default: 0] += 1
        }
        census.threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task"))?.count ?? 0
        census.children = Self.childrenOfThisProcess()
        return census
    }

    package var description: String { "descriptors \(descriptors), threads \(threads), children \(children)" }

    private static func childrenOfThisProcess() -> [Int] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return threads.flatMap { thread in
            let list = try? String(contentsOfFile: "/proc/self/task/\(thread)/children", encoding: .utf8)
            return (list ?? "").split(separator: " ").compactMap { Int($0) }
        }.sorted()
    }
}
