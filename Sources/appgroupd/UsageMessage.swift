import ArgumentParser
import NotificationModel

/// The words of a command line, and the messages about a command line that cannot be parsed.
///
/// The argument parser says what is wrong. This type adds what a newcomer needs: the nearest command, the flag that
/// other programs name otherwise, and the command whose help lists the rest.
struct UsageMessage {
    /// The words after the name of the program.
    private let words: [String]

    init(_ words: [String]) { self.words = words }

    /// The words, with each negative number joined to its flag.
    ///
    /// The parser takes `-1s` in `--budget -1s` for a flag, and then reports that the value is missing. After
    /// `--budget=-1s` the configuration reports the value itself.
    var joined: [String] {
        var joined: [String] = []
        for (index, word) in words.enumerated() {
            if word == "--" { return joined + words[index...] }
            if word.first == "-", word.dropFirst().first?.isASCII == true, word.dropFirst().first?.isNumber == true,
                let flag = joined.last, flag.hasPrefix("--"), !flag.contains("=")
            {
                joined[joined.count - 1] = "\(flag)=\(word)"
            } else {
                joined.append(word)
            }
        }
        return joined
    }

    /// The command that the words name, and the first word that should name a command of it and does not.
    private var place: (path: [String], command: any ParsableCommand.Type, unknown: String?) {
        var path: [String] = []
        var command: any ParsableCommand.Type = Appgroupd.self
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

    /// A message about a word that should be a command; `nil` if there is no such word.
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

    /// - Parameter message: the message of the parser.
    /// - Returns: the same in one line, with the way to mend it.
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

    /// Removes a suggestion of the parser that shares few letters with the option.
    private static func withoutFarSuggestion(_ message: String) -> String {
        let parts = message.split(separator: "'", omittingEmptySubsequences: false)
        guard message.hasPrefix("Unknown option"), parts.count == 5, parts[2].contains("Did you mean") else {
            return message
        }
        let (option, suggestion) = (parts[1].trimmingPrefix("--"), parts[3].trimmingPrefix("--"))
        let isNear = NearestWord.related(to: String(option), among: [String(suggestion)]) != nil
        return isNear ? message : "Unknown option '\(parts[1])'"
    }

    /// The option of this command for which other programs have another name.
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
