import JSON
import NotificationModel

/// What is wrong before there is an object to look into, and what is wrong with any object.
enum FileRules {
    static let all = [notJSON, notAnObject, several, notExamined, duplicateKey]

    private static let notJSON = LintRule(
        "not-json", .error, "The file, or a line of it, is no JSON.", source: "RFC 8259. No push service takes it.")

    private static let notAnObject = LintRule(
        "not-an-object", .error, "A value at the top of the file is no object.",
        source: "A payload is an object, with every provider and push service.")

    private static let several = LintRule(
        "several-objects", .note, "The file holds several objects.",
        source: "`process` takes them one after the other; the spool, a body over HTTP and push services take one.")

    /// Larger objects are not looked into: they are sixteen times what a push service takes.
    static let mostBytes = 64 << 10

    private static let notExamined = LintRule(
        "not-examined", .warning,
        "The object is longer than 64 KiB without the media in it, and only its size is looked at.",
        source: "It is sixteen times what a push service takes."
    ) { subject in
        guard subject.isTooLong else { return [] }
        return [
            LintFlaw(
                .root,
                "the object is longer than \(mostBytes >> 10) KiB without the media in it, and nothing but its size is looked at",
                fix: "Send what is long as a file, and its URL in the payload")
        ]
    }

    private static let duplicateKey = LintRule(
        "duplicate-key", .error, "An object has a key twice.",
        source: "RFC 8259 §4: what a reader makes of it is unpredictable. Here the last one counts."
    ) { subject in
        PayloadWalk(subject.object).repeatedKeys.map { path in
            LintFlaw(
                path, "the key is there more than once, and only the last one counts", fix: "Leave all but one out")
        }
    }

    static func noJSON(_ problem: String, at offset: Int) -> LintFile.Problem {
        let flaw = LintFlaw(.root, "no JSON: \(problem)", fix: "Write it with a JSON library instead of by hand")
        return LintFile.Problem(rule: notJSON, flaw: flaw, offset: offset)
    }

    static func noObject(_ value: JSONValue, at offset: Int) -> LintFile.Problem {
        let flaw = LintFlaw(.root, "the value is \(value.typeName), not an object", fix: "Put it into an object")
        return LintFile.Problem(rule: notAnObject, flaw: flaw, offset: offset)
    }

    static func severalObjects(_ objects: [LintObject]) -> LintFile.Problem {
        let flaw = LintFlaw(
            .root, "the file holds \(objects.count) objects; the spool, HTTP and push services take one",
            fix: "Give each a file of its own, unless it is for process or a batch call")
        return LintFile.Problem(rule: several, flaw: flaw, offset: objects[1].outline.start)
    }
}
