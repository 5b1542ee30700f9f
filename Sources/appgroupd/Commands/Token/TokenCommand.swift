import ArgumentParser
import Authentication
import FeatureKit
import NotificationModel

struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Make bearer tokens for callers of the HTTP API, and their hashes.",
        discussion: """
            The configuration lists the hash of each token in auth.tokens, with its groups and its scopes.

            Example:
              appgroupd token new --name gateway > token
            """,
        subcommands: [TokenNewCommand.self, TokenHashCommand.self])
}

struct TokenNewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Make a token, and the entry of auth.tokens for it.",
        discussion: """
            The token goes to standard output. It is not stored anywhere, so give it to its caller now. The entry for \
            the configuration goes to standard error. It contains only the hash of the token.

            Example:
              appgroupd token new --name gateway --group group.com.example.app \\
                --scope submit --scope read > token
            """)

    @Option(help: "The name of the token in the log.")
    var name = "gateway"

    @Option(name: .customLong("group"), help: "A group that the token permits. Repeat it for further groups.")
    var groups: [String] = []

    @Option(name: .customLong("scope"), help: "A scope of the token. Repeat it for further scopes.")
    var scopes: [Scope] = []

    func validate() throws {
        for group in groups where group != "*" && AppGroupName(group) == nil {
            throw ValidationError("'\(group)' is not the name of an app group, and not '*' for all groups")
        }
        guard Caller.isTokenName(name) else {
            throw ValidationError("'\(name)' is not 1 to 64 letters, digits and ._-")
        }
    }

    func run() {
        let token = StaticToken.make()
        let groups = groups.isEmpty ? [AppGroupName.default.description] : groups
        let scopes = scopes.isEmpty ? [.submit, .read, .cancel] : scopes
        StandardStreams.output(token)
        StandardStreams.error(
            """
            auth:
              tokens:
                - name: \(name)
                  hash: "\(TokenDigest(of: token))"
                  groups: [\(groups.map { "\"\($0)\"" }.joined(separator: ", "))]
                  scopes: [\(scopes.map(\.rawValue).joined(separator: ", "))]
            """)
    }
}

struct TokenHashCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hash",
        abstract: "Show the hash of the token on standard input.",
        discussion: """
            The hash is the value of `hash` in auth.tokens. A token is never an argument, because other users can \
            read the arguments of a process.

            Status 2: standard input has no token of at least 43 characters, or has other text beside the token.

            Examples:
              appgroupd token new > token
              appgroupd token hash < token
            """)

    func run() throws {
        let line = readLine(strippingNewline: true) ?? ""
        guard line.utf8.count >= StaticToken.minLength else {
            throw CommandFailure(
                .usage,
                "standard input has no token of at least \(StaticToken.minLength) characters: "
                    + "a shorter token could be guessed")
        }
        // No message repeats the text, which has a token.
        guard StaticToken.isToken(line), readLine(strippingNewline: false) == nil else {
            throw CommandFailure(
                .usage,
                "standard input has other text beside the token, such as spaces, quotation marks, the word Bearer or a "
                    + "second line: write only the token, on one line")
        }
        StandardStreams.output("\(TokenDigest(of: line))")
    }
}

extension Scope: ExpressibleByArgument {}
