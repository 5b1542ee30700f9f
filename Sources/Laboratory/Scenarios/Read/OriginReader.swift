import Base
import FeatureKit
import Lab
import LinuxIO
import NotificationModel
import OriginFaults

/// The reader of `origin`: a mapping from paths to the faults of `appgroupd lab serve`, with a mapping in place of each
/// slash. `{stall: {after: 1000}}` is `/stall/after/1000/`. A list has the answers to the first, the second and each
/// further request.
struct OriginReader {
    let problems: ProblemList
    /// Returns the path of a file that the scenario names, as the process can open it.
    let resolve: (String) -> String

    private static let faults = Set(
        FaultReference.entries.map { entry in
            String(entry.path.dropFirst().prefix { $0 != "/" })
        })

    func rules(_ node: ScenarioNode) -> [OriginRule] {
        guard let members = node.members else {
            if !node.isNothing {
                problems.add(
                    node.mark, "origin is \(node.shown): write a mapping, such as {/photo.jpg: {status: 503}}")
            }
            return []
        }
        return members.compactMap(rule)
    }

    private func rule(_ member: ScenarioNode.Member) -> OriginRule? {
        guard let (host, path) = Self.place(member.name.value) else {
            problems.add(
                member.name.mark,
                "the key must be a path, such as /photo.jpg, or a URL, such as https://cdn.example/photo.jpg")
            return nil
        }
        guard case .list(let elements) = member.value.content else {
            return answer(member.value).map { OriginRule(key: member.name, host: host, path: path, answers: [$0]) }
        }
        guard !elements.isEmpty else {
            problems.add(
                member.value.mark, "the list is empty: write an answer for each request, such as [{status: 503}, ok]")
            return nil
        }
        let answers = elements.compactMap(answer)
        guard answers.count == elements.count else { return nil }
        return OriginRule(key: member.name, host: host, path: path, answers: answers)
    }

    private func answer(_ node: ScenarioNode) -> OriginAnswer? {
        var answer = OriginAnswer()
        guard let text = segments(of: node, &answer), let faults = requested(text, at: node.mark) else {
            return nil
        }
        answer.faults = faults.map { resolved($0, in: node) }
        return answer
    }

    /// Returns the faults that a path requests; `nil` if the path is reported.
    private func requested(_ path: String, at mark: TextMark) -> [Fault]? {
        do throws(OriginPathError) {
            let parsed = try OriginRequestPath(parsing: path.isEmpty ? "/" : path)
            if parsed.filePath.isEmpty { return parsed.faults }
            problems.add(mark, "\"\(parsed.filePath)\" is no fault: write {file: PATH} for the file that is served")
        } catch {
            problems.add(
                mark, "\(error): a mapping stands for each slash, as in {stall: {after: 1000}} for /stall/after/1000")
        }
        return nil
    }

    /// Returns a fault whose file has the path that the process can open. A file that cannot be read is reported.
    private func resolved(_ fault: Fault, in node: ScenarioNode) -> Fault {
        guard case .changed(let change) = fault, let file = change.replacement else { return fault }
        return .changed(FileChange(after: change.requests, to: readable(file, at: node.mark)))
    }

    /// Returns the path of a file as the process can open it. A file that cannot be read is reported.
    private func readable(_ file: String, at mark: TextMark) -> String {
        let path = resolve(file)
        if FileSystem.size(of: path) == nil || FileSystem.isDirectory(path) {
            problems.add(mark, "\"\(file)\" cannot be read: paths are relative to the scenario's file")
        }
        return path
    }

    /// Returns the host and the path of a key such as `/photo.jpg`, `cdn.example/photo.jpg` or a URL, without a query.
    static func place(_ key: String) -> (host: String?, path: String)? {
        var rest = key[...]
        for scheme in ["https://", "http://"] where rest.hasPrefix(scheme) { rest = rest.dropFirst(scheme.count) }
        let path = rest.drop { $0 != "/" }.prefix { $0 != "?" && $0 != "#" }
        guard !path.isEmpty, !key.contains(" ") else { return nil }
        let host = HostAndPort(String(rest.prefix { $0 != "/" })).host.lowercased()
        return (host.isEmpty ? nil : host, String(path))
    }

    /// Returns the path that requests the faults of an answer; `nil` if a part of it is reported.
    private func segments(of node: ScenarioNode, _ answer: inout OriginAnswer) -> String? {
        switch node.content {
        case .nothing: return ""
        case .text(let text, _):
            if text.hasPrefix("/") { return text }
            guard text != "ok" else { return "" }
            if Self.faults.contains(text) { return "/\(text)" }
            problems.add(node.mark, "\(node.shown) is no fault: \(Self.remedy(forValue: text))")
            return nil
        case .list:
            problems.add(node.mark, "the faults are a list: write a mapping, such as {delay: 2s, status: 503}")
            return nil
        case .map(let members):
            var path = ""
            for member in members {
                guard let part = part(member, &answer), requested(part, at: member.value.mark) != nil else {
                    return nil
                }
                path += part
            }
            return path
        }
    }

    private func part(_ member: ScenarioNode.Member, _ answer: inout OriginAnswer) -> String? {
        let (name, value) = (member.name.value, member.value)
        switch name {
        case "file", "type":
            guard let text = value.text, !text.isEmpty else {
                problems.add(
                    value.mark, "\(name) is \(value.shown): write \(name == "file" ? "a path" : "a media type")")
                return nil
            }
            guard name == "file" else { return "/header/" + PercentEncoding.text(of: "Content-Type:\(text)") }
            answer.file = readable(text, at: value.mark)
            return ""
        case "header":
            return value.members?.map { field in
                let text = field.value.text.map { "\(field.name.value):\($0)" } ?? "-\(field.name.value)"
                return "/header/" + PercentEncoding.text(of: text)
            }.joined() ?? Self.flattened(name, value).joined()
        case "redirect":
            guard let text = value.text, text != "loop", Int(text) == nil else { break }
            return "/redirect/to/" + PercentEncoding.text(of: text)
        default: break
        }
        guard Self.faults.contains(name) else {
            problems.add(member.name.mark, "\"\(name)\" is no fault: \(Self.remedy(for: name))")
            return nil
        }
        return Self.flattened(name, value).joined()
    }

    /// Returns the faults of a key and its value as paths: `stall` and `{after: 1000}` are `/stall/after/1000`.
    private static func flattened(_ name: String, _ value: ScenarioNode) -> [String] {
        let head = "/" + PercentEncoding.text(of: name)
        switch value.content {
        case .nothing: return [head]
        case .text(let text, _):
            if text == "true" { return [head] }
            return text == "false" ? [] : [head + "/" + PercentEncoding.text(of: text)]
        case .list(let elements): return elements.flatMap { flattened(name, $0) }
        case .map(let members): return members.flatMap { flattened($0.name.value, $0.value).map { head + $0 } }
        }
    }

    /// Returns the remedy for a rule that is one word. A status, a duration and a file lack the name of their fault.
    private static func remedy(forValue text: String) -> String {
        if Int(text).map({ (200...599).contains($0) }) == true { return "did you mean {status: \(text)}?" }
        if DurationText.parse(text) != nil { return "did you mean {delay: \(text)}?" }
        if MediaFormat.named(fileOf: text) != nil { return "did you mean {file: \(text)}?" }
        return remedy(for: text)
    }

    private static func remedy(for name: String) -> String {
        let names = (faults.union(["file", "type"])).sorted()
        if let near = NearestWord.related(to: name, among: names) { return "did you mean \(near)?" }
        return "the faults are \(names.joined(separator: ", "))"
    }
}
