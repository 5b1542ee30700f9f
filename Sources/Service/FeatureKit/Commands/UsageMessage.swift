import ArgumentParser
import Base
import NotificationModel

/// The arguments of a command line, and the messages about a command line that cannot be parsed.
///
/// The argument parser reports the mistake. This type adds help for new users: the most similar command, and the right
/// name of a flag that has another name in other programs. It also names the command whose help lists all flags.
struct UsageMessage {
    /// The arguments after the name of the program.
    let words: [String]
    /// The command line of the program, with all commands.
    let root: any ParsableCommand.Type

    /// The arguments, with each negative number joined to its flag.
    ///
    /// The parser reads `-1s` in `--budget -1s` as a flag, and reports that the value is missing. For `--budget=-1s`,
    /// the configuration reports the invalid value itself.
    var joined: [String] {
        var joined: [String] = []
        for (index, word) in words.enumerated() {
            if word == "--" { return joined + words[index...] }
            if word.first == "-", let digit = word.dropFirst().first, digit.isASCII, digit.isNumber,
                let flag = joined.last, flag.hasPrefix("--"), !flag.contains("=")
            {
                joined[joined.count - 1] = "\(flag)=\(word)"
            } else {
                joined.append(word)
            }
        }
        return joined
    }

    /// The command that the arguments name. `unknown` is the first argument that should name a subcommand of it but
    /// does not name a subcommand; `nil` if there is no such argument.
    private var place: (path: [String], command: any ParsableCommand.Type, unknown: String?) {
        var path: [String] = []
        var command = root
        for word in words.first == "help" ? words.dropFirst() : words[...] {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !word.hasPrefix("-") else { break }
            if word == "help", path.isEmpty { continue }
            guard let next = subcommands.first(where: { $0.configuration.commandName == word }) else {
                return (path, command, word)
            }
            path.append(word)
            command = next
        }
        return (path, command, nil)
    }

    /// A message about an argument that should name a command but does not; `nil` if there is no such argument.
    var unknownCommand: String? {
        let place = place
        guard let unknown = place.unknown else { return nil }
        let known = place.command.configuration.subcommands.compactMap { $0.configuration.commandName }
        let name = (place.path + [unknown]).joined(separator: " ")
        guard let near = NearestWord.related(to: unknown, among: known) else {
            let group = place.path.isEmpty ? "" : " of \(place.path.joined(separator: " "))"
            return "'\(name)' is not a command; the commands\(group) are: \(known.joined(separator: ", "))"
        }
        return "'\(name)' is not a command; did you mean '\((place.path + [near]).joined(separator: " "))'?"
    }

    /// Returns a message of the parser in one line, with a way to correct the command line.
    func completed(_ message: String) -> String {
        let line = message.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix { $0 == " " } }
            .joined(separator: " ")
        let message = Self.withoutFarSuggestion(line)
        let isOfParser = ["Unknown option", "Unexpected argument", "Missing", "unexpected arguments"]
            .contains { message.contains($0) }
        guard isOfParser else { return message }
        let name = place.path.isEmpty ? "appgroupd" : place.path.joined(separator: " ")
        if let (flag, example) = otherName(in: message) {
            return "\(name) has no option '\(flag)'; did you mean '\(example)'?"
        }
        guard !message.hasSuffix("?") else { return message }
        let command = (["appgroupd"] + place.path).joined(separator: " ")
        return "\(message): `\(command) --help` lists what \(place.path.last ?? "the program") takes"
    }

    /// Removes a suggestion of the parser that is not similar to the option.
    private static func withoutFarSuggestion(_ message: String) -> String {
        let parts = message.split(separator: "'", omittingEmptySubsequences: false)
        guard message.hasPrefix("Unknown option"), parts.count == 5, parts[2].contains("Did you mean") else {
            return message
        }
        let (option, suggestion) = (parts[1].trimmingPrefix("--"), parts[3].trimmingPrefix("--"))
        let isNear = NearestWord.related(to: String(option), among: [String(suggestion)]) != nil
        return isNear ? message : "Unknown option '\(parts[1])'"
    }

    /// Returns the option of this command that has another name in other programs; otherwise `nil`.
    private func otherName(in message: String) -> (flag: String, example: String)? {
        let help = place.command.helpMessage()
        for (names, option, example) in Self.otherNames {
            for name in names where message.contains("Unknown option '\(name)'") && help.contains("\(option) ") {
                return (name, example)
            }
        }
        return nil
    }

    private static let otherNames: [(names: [String], option: String, example: String)] = [
        (["--port", "--host", "--bind", "--address", "--addr"], "--listen", "--listen 127.0.0.1:PORT"),
        (["--timeout", "--deadline", "--time-limit"], "--budget", "--budget 5s"),
        (["--output", "--out"], "--report", "--report FILE"),
        (["--platform", "--device"], "--profile", "--profile ios"),
        (["--provider"], "--dialect", "--dialect fcm"),
        (["--jobs", "--parallel"], "--concurrency", "--concurrency 32"),
        (["--dir", "--directory", "--data"], "--root", "--root DIRECTORY"),
        (["--expect", "--assert"], "--require", "--require rich"),
        (["--ttl", "--keep-until", "--until"], "--keep", "--keep 14d"),
    ]
}
