import Dispatch
import Foundation

/// What a process holds: descriptors by what they are, threads, children. Taken before and after, it shows leaks.
package struct LeakCensus: Equatable, CustomStringConvertible {
    /// Numbers are left out: `socket:[123]` counts as `socket`, `anon_inode:[eventpoll]` as it is.
    package var descriptors: [String: Int] = [:]
    package var threads = 0
    package var children: [Int] = []

    /// - Parameter process: its number; `self` is this one.
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

    /// Dispatch opens one for each clock when somebody in the process first sleeps by it, on a thread of its own; nothing
    /// of ours has any.
    private static let dispatchTimer = "anon_inode:[timerfd]"
    /// What it waits with, it opens when it is first given something for later, and never closes.
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
