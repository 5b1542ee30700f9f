import Dispatch
import Foundation

/// A census of a process: its descriptors by kind, its threads and its children. The difference between a census before
/// a test and one after it shows leaks.
package struct LeakCensus: Equatable, CustomStringConvertible {
    /// The number of descriptors of each kind. `socket:[123]` counts as `socket`, and `anon_inode:[eventpoll]` has its
    /// own kind.
    package var descriptors: [String: Int] = [:]
    package var threads = 0
    package var children: [Int] = []

    /// - Parameter process: The process id, or `self` for this process.
    package static func take(of process: String = "self") -> LeakCensus {
        if process == "self" { _ = dispatchHasBegun }
        var census = LeakCensus()
        let directory = "/proc/\(process)/fd"
        for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/\(name)"),
                !target.hasPrefix("/proc/"), target != dispatchTimer
            else { continue }
            census.descriptors[kind(of: target), default: 0] += 1
        }
        census.threads = Self.threads(of: process).count
        census.children = Self.children(of: process)
        return census
    }

    private static func kind(of target: String) -> String {
        if target.hasSuffix("(deleted)") { return "nameless file" }
        if target.hasPrefix("anon_inode:") { return target }
        return target.split(separator: ":").first.map(String.init) ?? target
    }

    /// The kind of descriptor that Dispatch opens for each clock at the first sleep on it. The program itself opens no
    /// descriptor of this kind.
    private static let dispatchTimer = "anon_inode:[timerfd]"
    /// A block that runs before the census. Dispatch opens descriptors at its first delayed block and never closes
    /// them.
    private static let dispatchHasBegun: Void = {
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { done.signal() }
        done.wait()
    }()

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
